/**
 * Requests of programs, whose fields are named as the flags. They become words for the parser of the command line, so that
 * both refuse the same.
 */
import { FLAGS } from './table.ts';

const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['--completion-promise', 'promise'],
  ['--check', 'checks'],
]);

export function fieldOf(flag: string): string {
  return (
    OTHERWISE.get(flag) ?? flag.slice(2).replaceAll(/-./g, (hyphened) => hyphened.slice(1).toUpperCase())
  );
}

/** Fields that are named as no flag are left out. */
export function wordsOf(prompt: string, fields: object): string[] {
  const given = new Map<string, unknown>(Object.entries(fields));
  const flags = FLAGS.flatMap(({ flag }) => {
    const said = given.get(fieldOf(flag));
    if (said === undefined || said === false) return [];
    const each: readonly unknown[] = Array.isArray(said) ? said : [said];
    return said === true ? [flag] : each.map((one) => `${flag}=${String(one)}`);
  });
  return [...flags, '--', prompt];
}

/** A one-liner of another language in a line of shell. */
import type { Variables, Word } from './shell-words.ts';

const INTERPRETER = /^(?:python[\d.]*|node|nodejs|deno|bun|ruby|perl|php)$/;
/** Signs, in a one-liner of any of these languages, that it does not only read. A path is bounded: code of a megabyte may open many files. */
const WRITES_CODE =
  /(?<!std(?:out|err)\.)write|appendFile|truncat|unlink|rename|rmtree|rmSync|rmdir|os\.(?:remove|replace)|shutil|copyFile|chmod|symlink|open\([^)]{0,300},\s{0,20}['"][^'"]{0,5}[wax+]|system\(|child_process|exec(?:Sync|File|[lv])/i;

/** Whatever looks like a path in the code, where the code does more than read. */
export function byCode(name: string, args: readonly Word[], input: string, variables: Variables): Word[] {
  if (!INTERPRETER.test(name)) return [];
  const at = args.findIndex(({ text }) => /^(?:-\w*[cepr]|--eval|--print|eval)$/.test(text));
  const code =
    at === -1
      ? input
      : args
          .slice(at + 1)
          .map(({ text }) => text)
          .join(' ');
  if (!WRITES_CODE.test(code)) return [];
  const home = variables.get('DACAPO_HOME');
  return code
    .split(/['"`\s(),;=[\]{}+]+/)
    .filter((piece) => /[./\w]/.test(piece))
    .map((piece) => (/(?:^|\.)DACAPO_HOME$/.test(piece) ? (home ?? piece) : piece))
    .map((text) => ({ text, wild: false }));
}

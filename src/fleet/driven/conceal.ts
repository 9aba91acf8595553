/** Keys stay on the worker: where a text of its loops has the value of such a variable, its name is sent instead. */
import type { Environment } from '../../hosts/arrival.ts';

const SECRET = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/;
/** A shorter value is no key, and may be part of a word. */
const SHORTEST = 12;

/** For JSON. */
export function concealer(env: Environment): (json: string) => string {
  const secrets = Object.entries(env)
    .map(([name, value = '']) => [name, JSON.stringify(value).slice(1, -1)] as const)
    .filter(([name, value]) => SECRET.test(name) && value.length >= SHORTEST)
    // One may begin with another.
    .toSorted((a, b) => b[1].length - a[1].length);
  return (json) => secrets.reduce((said, [name, value]) => said.replaceAll(value, `[${name}]`), json);
}

/** Keys stay on the worker: where a text of its loops has the value of such a variable, its name is sent instead. */
import type { Environment } from '../../hosts/arrival.ts';

const SECRET = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/;
/** A shorter value is no key, and may be part of a word. */
const SHORTEST = 12;

/** For JSON. */
export function concealer(env: Environment): (json: string) => string {
  const secrets = Object.entries(env).flatMap(([name, value = '']) =>
    SECRET.test(name) && value.length >= SHORTEST
      ? [[JSON.stringify(value).slice(1, -1), `[${name}]`] as const]
      : [],
  );
  return (json) => secrets.reduce((said, [value, name]) => said.replaceAll(value, name), json);
}

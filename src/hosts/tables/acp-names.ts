/** What a host is called that is a command: `acp:gemini --acp`. It loads no adapter. */
import { basename } from 'node:path';
import { acpCommand, acpWords } from '#base/words/acp-host.ts';
import { HOST_NAMES, type HostNames } from './names.ts';

export interface AcpNames extends HostNames {
  readonly starts: readonly [string, ...string[]];
}

/** Null: it is no such host. */
export function acpNames(name: string): AcpNames | null {
  const starts = acpWords(name);
  if (starts === null) return null;
  const word = basename(starts[0]);
  // The command is the person's own word for it, and shows what is started.
  const title = acpCommand(name) ?? word;
  return { name, title, word, tool: 'execute(npm test)', signs: [], own: /(?!)/, starts };
}

/** Null: no host is called so. */
export function namesFor(host: string): HostNames | null {
  return HOST_NAMES.find(({ name }) => name === host) ?? acpNames(host);
}

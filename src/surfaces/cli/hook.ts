/** `dacapo hook`: runs the plugin's hook program in this process, which that program ends. */
import { createRequire } from 'node:module';
import { HOOK } from '#base/process/package.ts';

export async function runHook(words: readonly string[]): Promise<void> {
  const protocol = protocolIn(words);
  if (protocol === null) {
    createRequire(HOOK)(HOOK);
    return;
  }
  const { runProtocol } = await import('./hook-protocol.ts');
  process.exitCode = await runProtocol(protocol, process.env);
}

/** Null: the plugin's program detects the host itself. */
function protocolIn(words: readonly string[]): string | null {
  const at = words.findIndex((word) => word === '--protocol' || word.startsWith('--protocol='));
  const word = words[at];
  if (word === undefined) return null;
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[at + 1] ?? '');
}

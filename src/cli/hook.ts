/** `dacapo hook`: the plugin's own hook program, with this stdin, stdout and environment. It ends the process itself. */
import { createRequire } from 'node:module';
import { EXIT } from './terminal/exit-codes.ts';
import { EXIT_CODE } from '../hosts/names.ts';
import { HOOK } from './package.ts';
import { fail } from './terminal/terminal.ts';

export async function runHook(words: readonly string[]): Promise<void> {
  const protocol = protocolIn(words);
  if (protocol === null) {
    createRequire(import.meta.url)(HOOK);
    return;
  }
  if (protocol !== EXIT_CODE) {
    process.exitCode = fail(
      `there is no protocol ${JSON.stringify(protocol)}.`,
      `leave --protocol out, or give ${EXIT_CODE}.`,
      EXIT.failed,
    );
    return;
  }
  const [{ runProtocol }, { exitCode }] = await Promise.all([
    import('./hook-protocol.ts'),
    import('../hosts/exit-code/host.ts'),
  ]);
  process.exitCode = await runProtocol(exitCode, process.env);
}

/** Null: the plugin's own, which finds out who is calling. */
function protocolIn(words: readonly string[]): string | null {
  const at = words.findIndex((word) => word === '--protocol' || word.startsWith('--protocol='));
  const word = words[at];
  if (word === undefined) return null;
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[at + 1] ?? '');
}

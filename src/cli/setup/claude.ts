/** The host's program: named by DACAPO_CLAUDE, else found on the PATH. */
import { delimiter, join, resolve } from 'node:path';
import { CAP_VARIABLE, NO_CAP } from '../../hosts/claude-code/hook/cap.ts';
import { PLUGIN } from '../package.ts';
import { isProgram } from '../../process/is-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type FoundClaude =
  | { readonly ok: true; readonly program: string }
  | { readonly ok: false; readonly message: string; readonly next: string };

/** npm's `claude.cmd` can't be started without a shell, which would take prompts apart: only real programs count. */
const NAMES = process.platform === 'win32' ? ['claude.exe'] : ['claude'];

export function findClaude(env: Environment): FoundClaude {
  const named = env['DACAPO_CLAUDE'];
  if (named) {
    const program = resolve(named);
    if (isProgram(program)) return { ok: true, program };
    return {
      ok: false,
      message: `DACAPO_CLAUDE names ${named}, which is no program.`,
      next: 'set it to the path of claude, or unset it to have claude looked for on the PATH.',
    };
  }
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders)
    for (const name of NAMES) {
      const program = join(folder, name);
      if (isProgram(program)) return { ok: true, program };
    }
  return {
    ok: false,
    message: 'Claude Code was not found: there is no claude on the PATH.',
    next: 'install it (https://code.claude.com/docs/en/setup), or set DACAPO_CLAUDE to the path of claude.',
  };
}

/** With our plugin for this session alone, and with the host's cap lifted: Da Capo has limits of its own. */
export function ownArguments(): string[] {
  return ['--plugin-dir', PLUGIN, '--settings', JSON.stringify({ env: { [CAP_VARIABLE]: NO_CAP } })];
}

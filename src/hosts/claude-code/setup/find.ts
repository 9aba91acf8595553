/** Claude Code's program: named by DACAPO_CLAUDE, else found on the PATH, else in a `node_modules` beside this package. */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isProgram } from '../../../process/is-program.ts';
import type { Environment } from '../../arrival.ts';
import type { FoundProgram } from '../../program.ts';

/** Only real programs: npm's `claude.cmd` needs a shell, and a shell would split prompts. */
const NAMES = process.platform === 'win32' ? ['claude.exe'] : ['claude'];

export function isNamed(env: Environment): boolean {
  return Boolean(env['DACAPO_CLAUDE']);
}

export function findProgram(env: Environment): FoundProgram {
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

/** The program itself, without npm's wrapper. */
export function findBeside(start: string, platform: string, arch: string): string | null {
  const name = platform === 'win32' ? 'claude.exe' : 'claude';
  const inside = join('node_modules', '@anthropic-ai', `claude-code-${platform}-${arch}`, name);
  for (let dir = start; ; dir = dirname(dir)) {
    if (existsSync(join(dir, inside))) return join(dir, inside);
    if (dirname(dir) === dir) return null;
  }
}

/** What this package brings for Claude Code: the plugin's folder, with the hook program and the commands in it. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders that npx and its like empty again, by themselves. */
const TEMPORARY = /[\\/](?:_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/;

export interface Command {
  /** `ralph.md` */
  readonly file: string;
  readonly content: string;
}

/** Built or not, this file stands somewhere below the package. */
export function packageFolder(): string {
  for (let dir = import.meta.dirname; ; dir = dirname(dir)) {
    if (existsSync(join(dir, 'plugin', '.claude-plugin', 'plugin.json'))) return dir;
    if (dirname(dir) === dir)
      throw new Error('this installation of dacapo is incomplete: its plugin folder is missing');
  }
}

export function pluginFolder(): string {
  return join(packageFolder(), 'plugin');
}

export function shippedCommands(plugin: string): Command[] {
  const folder = join(plugin, 'commands');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ file, content: readFileSync(join(folder, file), 'utf8') }));
}

export function isTemporary(path: string): boolean {
  return TEMPORARY.test(path);
}

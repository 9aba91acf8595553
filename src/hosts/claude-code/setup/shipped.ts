/** The contents of this package's plugin folder: the hook program and the commands. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that npx and similar tools clear by themselves. */
const TEMPORARY = /[\\/](?:_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/;

export interface ShippedCommand {
  /** `ralph.md` */
  readonly file: string;
  readonly content: string;
}

export function shippedCommands(plugin: string): ShippedCommand[] {
  const folder = join(plugin, 'commands');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ file, content: readFileSync(join(folder, file), 'utf8') }));
}

export function isTemporary(path: string): boolean {
  return TEMPORARY.test(path);
}

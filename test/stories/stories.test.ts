// Runs every story of this folder: see README.md.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openShell, type Shell } from '../surfaces/cli/shell.ts';
import { makePlaceholders } from './placeholders.ts';

const FENCE = /^```(?<kind>file|console)(?: (?<path>\S+))?\n(?<body>[^]*?)^```$/gm;
const update = process.env['UPDATE_STORIES'] === '1';

const stories = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.story.md'))
  .map((name) => name.replace('.story.md', ''));

test.concurrent.each(stories)('story: %s', { timeout: 60_000 }, async (name) => {
  const path = join(import.meta.dirname, `${name}.story.md`);
  const shell = openShell();
  try {
    const happened = await tell(readFileSync(path, 'utf8'), shell);
    if (update) writeFileSync(path, happened);
    expect(happened).toBe(readFileSync(path, 'utf8'));
  } finally {
    shell.close();
  }
});

/** The story again, with the output of this run. */
async function tell(story: string, shell: Shell): Promise<string> {
  const placeholders = makePlaceholders(shell);
  let told = '';
  let end = 0;
  for (const fence of story.matchAll(FENCE)) {
    const { kind, path = '', body = '' } = fence.groups ?? {};
    told += story.slice(end, fence.index);
    end = fence.index + fence[0].length;
    if (kind === 'file') {
      shell.write(path, placeholders.fill(body));
      told += fence[0];
    } else told += `\`\`\`console\n${await play(body, shell, placeholders)}\`\`\``;
  }
  return told + story.slice(end);
}

async function play(
  body: string,
  shell: Shell,
  { fill, hide }: ReturnType<typeof makePlaceholders>,
): Promise<string> {
  let told = '';
  for (const command of body.split('\n').filter((line) => line.startsWith('$ '))) {
    const { output, exit } = await shell.type(fill(command.slice(2)));
    const shown = hide(output === '' || output.endsWith('\n') ? output : `${output}\n`);
    told += `${command}\n${shown}${exit === 0 ? '' : `[exit ${exit}]\n`}`;
  }
  return told;
}

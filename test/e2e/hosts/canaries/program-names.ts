// The names of project files that a host's program has in it, read from its own files. A new version of a
// host with a new name is then seen by a test, and not by a user.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RigName } from '../table.ts';

const ROOT = join(import.meta.dirname, '../../../..');

/**
 * Where its code is. Copilot unpacks itself when it is first started; the others are read as they were
 * installed.
 */
const PROGRAMS: Readonly<Record<RigName, string>> = {
  'claude-code': 'node_modules/@anthropic-ai',
  codex: '.hosts/codex/node_modules/@openai',
  copilot: 'node_modules/.cache/copilot/pkg',
  droid: '.hosts/droid/node_modules/@factory',
  qwen: '.hosts/qwen/node_modules/@qwen-code',
  gemini: '.hosts/gemini/node_modules/@google/gemini-cli',
  opencode: '.hosts/opencode/node_modules',
  pi: '.hosts/pi/node_modules/@earendil-works/pi-coding-agent',
};

/** A folder of an agent or an editor, and the name in it. Not below `~`, where the person's own files are. */
const IN_FOLDERS =
  /(?<![\w~}])\.(?:agents?|claude|clinerules|codex|continue|copilot|cursor|factory|gemini|github|junie|kiro|opencode|pi|qwen|roo|vscode|windsurf)[/\\]{1,2}[\w.-]*\w/g;

/** Whole strings of the code: hidden settings and variables, what is ignored, and instructions. */
const AT_THE_ROOT =
  /(?<=["'`])(?:\.[a-z][a-z-]*\.(?:jsonc?|toml|ya?ml)|\.env(?:\.[a-z.]*[a-z])?|[A-Z][A-Za-z]{2,}(?:[._-][A-Za-z]+)*\.md|\.[a-z]{3,}(?:rules|ignore))(?=["'`])/g;

const programFolder = (host: RigName): string => join(ROOT, PROGRAMS[host]);

/** Null: its code is not there to be read. */
export function namesInProgram(host: RigName): string[] | null {
  const folder = programFolder(host);
  if (!existsSync(folder)) return null;
  const names = new Set<string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (!statSync(file).isFile()) continue;
    // Programs that are one binary hold their code as plain text, too.
    const code = readFileSync(file, 'latin1');
    for (const pattern of [IN_FOLDERS, AT_THE_ROOT])
      for (const [found] of code.matchAll(pattern)) names.add(found.replaceAll(/[/\\]+/g, '/'));
  }
  return [...names].toSorted();
}

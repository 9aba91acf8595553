/**
 * A plugin that the host's own command has registered: `dacapo doctor` and `dacapo start` see it in the
 * host's settings.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { opencodeAdapter } from '#hosts/opencode/adapter.ts';
import { PLUGIN } from '#base/process/package.ts';
import { temporaryFolder } from '../../store/folder.ts';

const OURS = join(PLUGIN, 'extensions', 'opencode');

function foundIn(file: string, line: (folder: string) => string) {
  const home = temporaryFolder();
  const project = join(home, 'project');
  const path = join(home, file);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `{\n  // Mine.\n  "plugin": [\n    ${line(join(path, '..'))}\n  ]\n}\n`);
  const place = { project, env: { HOME: home }, platform: 'linux' };
  const { settings } = opencodeAdapter;
  const [finding] = settings.registrationFindings(place);
  return {
    says: finding?.says,
    level: finding?.level,
    isSilenced: settings.silencedBy?.(place).length !== 0,
  };
}

it.each([
  ['.config/opencode/opencode.json', () => JSON.stringify(OURS)],
  ['.config/opencode/opencode.jsonc', () => `"mine", ${JSON.stringify(join(OURS, 'dacapo.js'))},`],
  ['project/.opencode/opencode.json', () => JSON.stringify(OURS)],
  ['project/opencode.json', (folder: string) => JSON.stringify(relative(folder, OURS))],
])('%s', (file, line) => {
  const { says, ...rest } = foundIn(file, line);
  expect(says).toMatch(/^The hook is registered in .*opencode\.jsonc?$/);
  expect(rest).toEqual({ level: 'ok', isSilenced: false });
});

it('one that is commented out, or of somebody else, is none', () => {
  const none = { says: expect.stringContaining('No plugin of Da Capo'), isSilenced: true };
  expect(foundIn('project/opencode.jsonc', () => `// ${JSON.stringify(OURS)}`)).toMatchObject(none);
  expect(foundIn('project/opencode.json', () => '"/home/me/extensions/opencode"')).toMatchObject(none);
});

it('one whose folder is gone is a problem', () => {
  const gone = foundIn('project/opencode.json', () => '"/gone/plugin/extensions/opencode"');
  expect(gone).toMatchObject({ level: 'problem', says: expect.stringContaining('which is not there') });
});

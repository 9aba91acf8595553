/** Factory's droid as the command line knows it (0.225.2). */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PLUGIN } from '#base/process/package.ts';
import { adapterOf } from '../kit/adapter.ts';
import { flagWith, modelFlag, problem, type Finding } from '../port/headless.ts';
import { DROID } from '../tables/names.ts';
import { toolsFindings } from '../port/program.ts';
import { hooksSettings } from '../setup/hooks-settings.ts';
import { jsonLineReader } from '../kit/stream-lines.ts';
import { droid, tokensIn } from './hook.ts';
import { readLine, readRow } from './stream.ts';

/** Hooks for one process. They find our program beside this very file, without the words of one shell. */
const hooksOf = (folder: string) => ['--settings', join(folder, 'hooks', 'droid.json')];

export const droidAdapter = adapterOf({
  ...DROID,
  hook: droid,
  program: {
    oldest: '0.225.2',
    install: 'npm install -g @factory/cli',
    update: 'droid update',
    sessionFlags: ['exec', 'resume', '-r', '--resume', '--last', '--fork', '--settings'],
    sessionArguments: hooksOf,
  },
  args: ({ resume, model, permissionMode }) => [
    'exec',
    '-o',
    'stream-json',
    ...hooksOf(join(PLUGIN, 'guard')),
    // To go on in the session itself, it would ask its maker's servers for it.
    ...flagWith('--fork', resume),
    ...modelFlag('--model', model),
    ...flagWith('--auto', permissionMode),
  ],
  headless: {
    login: 'droid, then /login',
    permissionModes: ['low', 'medium', 'high'],
    // A person's settings may allow more than reading, where no mode is named.
    readOnly: { extra: ['--only-tools', 'Read,LS,Grep,Glob'] },
    ownFlags: '-o --output-format --input-format -f --file -s --session-id --fork --settings'.split(' '),
    openStream: () => jsonLineReader(readLine),
    // Without a mode it may only read.
    unattendedMode: () => 'low',
  },
  asks: {},
  // A fork counts from zero.
  tokensSince: (record) => tokensIn(record),
  findings: ({ pass }) => toolsFindings(DROID, pass),
  settings: hooksSettings(DROID, {
    file: ['settings.json'],
    findings: ({ path }) => shadowFindings(path),
    after: shadowFindings,
    mcp: 'droid mcp add dacapo "dacapo mcp"',
  }),
  record: [(session) => `${session}.jsonl`, readRow],
});

/** A file for hooks alone makes it ignore those in the settings beside it. */
function shadowFindings(settings: string): Finding[] {
  const file = join(dirname(settings), 'hooks.json');
  const says = `droid reads the hooks in ${file}, and so ignores those in ${settings}.`;
  return existsSync(file)
    ? [problem('shadowed', says, `Move what is in ${file} to "hooks" in ${settings}.`)]
    : [];
}

/** pi as the command line knows it (0.74.2). */
import { join } from 'node:path';
import { recordAt } from '#base/shape.ts';
import { PLUGIN } from '#base/process/package.ts';
import { adapterOf } from '../kit/adapter.ts';
import { classifyBy } from '../kit/pass-outcome.ts';
import { flagWith, problem } from '../port/headless.ts';
import { jsonHost } from '../json/host.ts';
import { PI } from '../tables/names.ts';
import { pluginSettings } from '../setup/plugin-file.ts';
import { jsonLineReader } from '../kit/stream-lines.ts';
import { readLine, readMessage } from './stream.ts';

const SESSION_FLAGS = '-p --print --mode -c --continue -r --resume --session --fork --no-session'.split(' ');

const extensionOf = (plugin: string) => ['--extension', join(plugin, 'extensions', PI.name, 'dacapo.js')];

const classify = classifyBy(({ code }) => (code === 'limit' ? code : undefined));

export const piAdapter = adapterOf({
  ...PI,
  hook: jsonHost(PI),
  program: {
    oldest: '0.74.2',
    install: 'npm install -g @earendil-works/pi-coding-agent',
    update: 'pi update pi',
    sessionFlags: SESSION_FLAGS,
    sessionArguments: extensionOf,
    resumeSession: (id) => ['--session', id],
    promptFlag: '',
  },
  can: { cost: true, tools: true },
  args: ({ resume, model, allowedTools }) => [
    '--mode',
    'json',
    ...extensionOf(PLUGIN),
    ...flagWith('--session', resume),
    ...flagWith('--model', model),
    ...flagWith('--tools', allowedTools.join(',') || null),
  ],
  headless: {
    login: 'pi, then /login',
    gentle: 'SIGTERM',
    readOnly: { extra: ['--tools', 'read,grep,find,ls'] },
    ownFlags: SESSION_FLAGS,
    openStream: () => jsonLineReader(readLine),
    classify: (end) => {
      const { record, exit } = end;
      // It exits with 1 only where it did not get as far as a request: no model, no key, no such session.
      const isRefused = exit === 1 && record.result === null;
      return classify(isRefused ? { ...end, record: { ...record, session: null } } : end);
    },
  },
  asks: {},
  findings: ({ pass }) =>
    pass.allowedTools
      .filter((tool) => /[^\w-]/.test(tool))
      .map((tool) =>
        problem(
          'permissions',
          `pi allows tools by their names, and ${tool} is none.`,
          'Name tools only: bash.',
        ),
      ),
  settings: pluginSettings(PI, 'extensions', 'pi has no MCP'),
  record: [(session) => `_${session}.jsonl`, (row) => readMessage(recordAt(row, 'message'))],
});

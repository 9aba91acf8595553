/** What a user writes: a start, flags, the words of every command, configs, rules, variables. */
import { parseStart } from '#input/arguments.ts';
import { readGiven } from '#input/words.ts';
import { readUserConfig } from '#input/config/user-config.ts';
import { readRules } from '#input/config/validation-rules.ts';
import { runRequestShape } from '#input/request-shape.ts';
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import * as values from '#input/values.ts';
import { evaluatePromises } from '#engine/agent/promises.ts';
import { otlpSettings, sayTarget } from '#engine/driver/telemetry/otlp.ts';
import { fromSpec } from '#surfaces/stop-hooks/from-spec.ts';
import { readConfig } from '#surfaces/stop-hooks/config/read-config.ts';
import { HookSpecError } from '#surfaces/stop-hooks/spec.ts';
import { ALL_COMMANDS } from '../../commands.ts';
import { JSON_WORDS, must, parsed, type Target } from '../target.ts';

const NOW = '2026-11-16T08:00:00.000Z';
const FLAGS = [
  '--check',
  '--max-iterations',
  '--completion-promise',
  '--protect',
  '--timeout',
  '--view',
  '--items',
  '--',
];

const READERS: readonly ((text: string) => unknown)[] = [
  values.readMaxIterations,
  values.readCount,
  values.readMaxStalls,
  values.readMaxItems,
  values.readCost,
  values.readTokens,
  values.readPath,
  values.readGlob,
  values.readViewKinds,
  values.readPromiseText,
  values.readCheck,
  values.readDuration,
  values.readName,
];

/** What is wrong with a config is told by an error of its own. */
function refusing(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof HookSpecError) return null;
    throw error;
  }
}

/** What a fleet keeps of a start is read back as the same start. */
function readStart(text: string): unknown {
  const start = parseStart(text);
  if (!start.ok) return start;
  const { ok: _, ...request } = start;
  const kept: unknown = JSON.parse(JSON.stringify({ request, plan: DEFAULT_PLAN }));
  must(runRequestShape(kept), 'a fleet reads what it kept of a start', request);
  return start;
}

const COMMAND_NAMES = ALL_COMMANDS.map(({ name }) => name);

/** The words after the name of a command, split at each blank. */
function readCommand(text: string): unknown {
  const [name, ...words] = text.split(' ');
  const command = ALL_COMMANDS.find((one) => one.name === name) ?? ALL_COMMANDS[0];
  return command && readGiven(command, words);
}

function readVariables(text: string): unknown {
  const env = Object.fromEntries(
    text.split('\n').map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name, value.join('=')];
    }),
  );
  const settings = otlpSettings(env);
  for (const target of Object.values(settings.targets)) {
    const { username, password, protocol, search } = target.url;
    must(/^https?:$/.test(protocol), 'only a web address is sent to', protocol);
    must(target.timeoutMs > 0 && target.timeoutMs <= 10_000, 'no loop waits for long', target.timeoutMs);
    const said = new URL(sayTarget(target));
    must(said.username === '' && said.search === '', 'no secret is shown', { username, password, search });
  }
  return settings;
}

export const INPUT: readonly Target[] = [
  {
    name: 'start grammar',
    samples: [
      'Fix it --check "npm test" --max-iterations 20',
      `'a b' --completion-promise "ALL DONE" -- --model x`,
    ],
    words: FLAGS,
    read: readStart,
  },
  {
    name: 'flag values',
    samples: ['20', '1h30m', '$5.00', '2M', 'tests/**', 'markdown,vault', 'ALL DONE'],
    words: ['h', 'm', 's', 'k', 'M', '$', ',', 'unlimited', 'off', 'none'],
    read: (text) => READERS.map((read) => read(text)),
  },
  {
    name: 'words of commands',
    samples: [
      'run --max-iterations 3 --check npm',
      'status --json RALPH_20260105_abc123',
      'list --all --json',
      'fleet submit --repo x --json',
    ],
    words: [...COMMAND_NAMES.map((name) => `${name} `), ...FLAGS.map((flag) => ` ${flag} `), '=', ' --no-'],
    read: readCommand,
  },
  {
    name: "the user's config",
    samples: [
      '{"notify":["desktop","https://ntfy.sh/topic"],"notifyEvents":["completed"],"notifySecret":"0123456789abcdef"}',
      '{"notify":[{"type":"ntfy","url":"https://ntfy.sh/t","token":"tk_1"}],"prices":{"m":{"input":1,"output":5}}}',
      '{"callbackUrl":"https://example.com/a","rules":{"commands":["npm test"]}}',
    ],
    words: [
      ...JSON_WORDS,
      '"notify":',
      '"url":',
      'https://',
      'slack:',
      'ntfy:',
      '"events":["stuck"]',
      '\uFEFF',
    ],
    read: (text) => {
      const read = readUserConfig(() => text);
      if (read.ok) for (const { target } of read.value.notify) if ('url' in target) new URL(target.url);
      return read;
    },
  },
  {
    name: 'validation rules',
    samples: [
      '[{"name":"a","type":"command","command":"npm test"},{"name":"b","type":"file_exists","path":"x"}]',
      '[{"name":"a","type":"pattern","pattern":"a+","flags":"i","file":"a","expect":"absent"}]',
    ],
    words: [...JSON_WORDS, '"name":', 'command', 'file-exists', 'constructor', '__proto__'],
    read: (text) => [readRules(parsed(text)), evaluatePromises(text, parsed(text), NOW)],
  },
  {
    name: 'config and hook specs',
    samples: ['{"checks":{"a":"true"},"hooks":[{"type":"max-files","files":20}],"hookTimeout":"5s"}'],
    words: [...JSON_WORDS, '"hooks":', '"checks":', '"type":"all",', '"hook":'],
    read: (text) => [refusing(() => readConfig(parsed(text))), refusing(() => fromSpec(parsed(text)))],
  },
  {
    name: 'variables of OpenTelemetry',
    samples: [
      'OTEL_EXPORTER_OTLP_ENDPOINT=http://me:secret@127.0.0.1:4318/a?key=1\nOTEL_EXPORTER_OTLP_HEADERS=a=b,c=%20',
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://x.invalid\nOTEL_EXPORTER_OTLP_TIMEOUT=900\nOTEL_TRACES_EXPORTER=otlp',
    ],
    words: [
      'OTEL_EXPORTER_OTLP_PROTOCOL=http/json\n',
      'OTEL_METRICS_EXPORTER=none\n',
      '%',
      '=',
      'http://',
      '@',
    ],
    read: readVariables,
  },
];

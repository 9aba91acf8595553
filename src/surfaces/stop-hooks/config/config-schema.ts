/**
 * What a config holds, and its schema. `npm run schema` writes `schema/dacapo.config.schema.json` from it.
 */
import { MEASURE_NAME, readConfigDuration, readReviewer, readRule, readTarget } from '#input/values.ts';
import { isRecord } from '#base/shape.ts';
import * as s from '#input/schema/schema.ts';
import { hookSpec, type HookSpec } from '../spec.ts';
import type { StopJs } from '../stop-js.ts';
import type { StopHook } from '../types.ts';

/** Seconds, or a text such as `90s`, `15m`, `1h30m`. */
export type Duration = number | string;

export type HookEntry = BareHook | NamedHook;

/**
 * A hook as data, a function, a module that exports one, or a `stop.js` file. Paths are relative to the
 * config.
 */
export type BareHook = HookSpec | StopHook | string | { readonly stopJs: string | StopJs };

export interface NamedHook {
  /** Used in accounts, metrics and messages. */
  readonly name?: string;
  /** Default: true. */
  readonly enabled?: boolean;
  readonly hook: BareHook;
}

/** Names appear in status lines and in file names. */
export const HOOK_NAME = /^[\w.:@/ -]{1,60}$/;

const isText = (given: unknown): given is string => typeof given === 'string';
const hasKey =
  (...keys: readonly string[]) =>
  (given: unknown) =>
    isRecord(given) && keys.some((key) => Object.hasOwn(given, key));

const duration: s.Schema<Duration> = s.value(
  'a duration such as 90s, 15m or 1h30m, or a number of seconds',
  {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: 365 * 24 * 3_600 },
      { type: 'string', pattern: '^(?=.*[1-9])(\\d+|(?=\\d)(\\d+h)?(\\d+m)?(\\d+s)?)$' },
    ],
  },
  (given): given is Duration =>
    (typeof given === 'number' || typeof given === 'string') && readConfigDuration(given).ok,
);

const command = s.text('a command', /\S/);
const oneCheck = s.fields('a check', { command, timeout: s.optional(duration) });
export type CheckConfig = s.TypeOf<typeof oneCheck>;
const check = s.anyOf<string | CheckConfig>(
  'a command, or { command, timeout }',
  [isText, command],
  [isRecord, oneCheck],
);

/** As in `--target`, without the name. */
const target = s.value<string>(
  'a goal such as "<=0" or ">=80"',
  { type: 'string', pattern: '^\\s*[<>]=\\s*-?\\d+(\\.\\d+)?\\s*$' },
  (given): given is string => isText(given) && readTarget(`it ${given}`).ok,
);
const oneMeasure = s.fields('a measure', {
  command,
  keep: s.optional(s.flag),
  target: s.optional(target),
  timeout: s.optional(duration),
});
export type MeasureConfig = s.TypeOf<typeof oneMeasure>;
const measure = s.anyOf<string | MeasureConfig>(
  'a command, or { command, keep, target, timeout }',
  [isText, command],
  [isRecord, oneMeasure],
);

/** We can see only that it is a function; what it returns is read strictly later. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export function isFunction(given: unknown): given is (context: any) => any {
  return typeof given === 'function';
}

const stopJs = s.value<string | StopJs>(
  'the path of a stop.js file',
  { type: 'string' },
  (given) => typeof given === 'string' || isFunction(given),
);
const BARE = [
  [isFunction, s.value<StopHook>('a function', null, isFunction)],
  [isText, s.text('the path of a module', /\S/)],
  [hasKey('stopJs'), s.object<{ readonly stopJs: string | StopJs }>('a stop.js hook', { stopJs })],
  [isRecord, hookSpec],
] as const;
const A_HOOK = 'a hook: its data, a function, or the path of a module';
const bare = s.annotated(
  {
    description:
      'A hook as data, the path of a module that exports one, or a stop.js file. Paths are as seen ' +
      'from the config.',
  },
  s.anyOf<BareHook>(A_HOOK, ...BARE),
);
const named = s.object<NamedHook>('a named hook', {
  name: s.optional(s.text('a short name', HOOK_NAME)),
  enabled: s.optional(s.flag),
  hook: bare,
});

const CHECKS = s.dictionary(
  'an object: names, and what is run',
  { pattern: HOOK_NAME, rule: 'Use letters, digits and -_.:@/, up to 60 of them.' },
  check,
);
const MEASURES = s.dictionary(
  'an object: names, and what prints the number',
  {
    pattern: new RegExp(`^${MEASURE_NAME}$`),
    rule: 'Begin with a letter, and use letters, digits and -_., up to 40 of them.',
  },
  measure,
);
const PARALLEL = s.anyOf<boolean | number>(
  'true, false or a whole number from 1',
  [(given) => typeof given === 'boolean', s.flag],
  [(given) => typeof given === 'number', s.whole(1)],
);
const RULE = s.value<string>(
  'a rule such as shell(git push *), or starter',
  { type: 'string' },
  (given): given is string => typeof given === 'string' && readRule(given).ok,
);
const REVIEWER = s.value<string>(
  'a host, or a host and its model, as HOST:MODEL',
  { type: 'string' },
  (given): given is string => typeof given === 'string' && readReviewer(given).ok,
);
const REVIEW = s.anyOf<string | readonly string[]>(
  'a host, or a list of hosts',
  [(given) => typeof given === 'string', REVIEWER],
  [Array.isArray, s.list(REVIEWER, 'a list of hosts')],
);
// A hook as data has a `type`. An object without one, but with one of these keys, is a named hook.
const ENTRIES = s.anyOf<HookEntry>(
  A_HOOK,
  [(given) => hasKey('hook', 'name', 'enabled')(given) && !hasKey('type')(given), named],
  ...BARE,
);

const described = <T>(description: string, schema: s.Schema<T>) =>
  s.optional(s.annotated({ description }, schema));

export const configSchema = s.annotated(
  {
    title: 'dacapo.config.json',
    description:
      'Checks, measures and stop hooks that a project brings to its loops. They run only after ' +
      '`dacapo trust`.',
    anyOf: [
      { required: ['checks'], properties: { checks: { minProperties: 1 } } },
      { required: ['measures'], properties: { measures: { minProperties: 1 } } },
      { required: ['hooks'], properties: { hooks: { minItems: 1 } } },
      { required: ['approve'], properties: { approve: { minItems: 1 } } },
      { required: ['review'] },
    ],
  },
  s.fields('the config', {
    // For editors; Da Capo does not read it.
    $schema: s.optional(s.value('a text', { type: 'string' }, isText)),
    checks: described(
      'Commands that prove the task done, each under a name that stop hooks know as a rule.',
      CHECKS,
    ),
    measures: described(
      'Numbers that commands print, each under a name: the last one that the command prints. With ' +
        'keep or target a measure is a gate.',
      MEASURES,
    ),
    parallel: described('Run the checks at once: all of them, or as many.', PARALLEL),
    checkTimeout: described('How long one check may take. Default: 300 s.', duration),
    checksTimeout: described(
      'How long all checks of one stop may take. Default: 540 s; in a session that is also the most.',
      duration,
    ),
    recheck: described(
      'How long to wait after a check that exits with 75, "not yet". Default: 60 s; later waits get longer.',
      duration,
    ),
    approve: described(
      'Calls that a person has to approve: rules such as shell(git push *), or starter.',
      s.list(RULE, 'a list of rules'),
    ),
    approveDone: described('A person confirms the completion.', s.flag),
    approvalTimeout: described('How long a request waits for an answer. Default: 24 h.', duration),
    approvalPolicy: described(
      'Whether a moved file is an answer (the default), or only what a person says.',
      s.word('file', 'person'),
    ),
    review: described('Other agents that have to approve the work when all else holds.', REVIEW),
    maxReviews: described('How often it may object in a row. Default: 3.', s.whole(1)),
    hooks: described('Asked in this order at every stop.', s.list(ENTRIES, 'a list of hooks')),
    hookTimeout: described('How long one hook may take. Default: 60 s.', duration),
    hooksTimeout: described('How long all hooks of one stop may take. Default: 120 s.', duration),
  }),
);

/** The contents of `dacapo.config.{js,mjs,ts,json}`. */
export type DacapoConfig = s.TypeOf<typeof configSchema>;

/** Returns the config unchanged. It gives editors the type. */
export function defineConfig(config: DacapoConfig): DacapoConfig {
  return config;
}

/** `schema/dacapo.config.schema.json`, for editors. */
export function publishedSchema(): s.Json {
  const $defs: Record<string, s.Json> = {};
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:dacapo:schema:config',
    ...configSchema.json($defs),
    $defs,
  };
}

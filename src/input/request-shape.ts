/**
 * A request as data that somebody else has kept: the row of a fleet. Each value has to be one that the flags
 * could have given, by the same readers.
 */
import {
  flag,
  list,
  oneOf,
  orNull,
  maybe,
  positive,
  real,
  record,
  text,
  whole,
  amount,
} from '#base/shape.ts';
import { either, type Shape } from '#base/shape.ts';
import { plan, planFields } from '#law/record/plan.ts';
import { readNotify } from './config/notify-target.ts';
import type { StartRequest } from './arguments.ts';
import type { RunRequest } from './run-request.ts';
import {
  MEASURE_NAME,
  readCheck,
  readGlob,
  readName,
  readPath,
  readPromiseText,
  readRule,
  VIEW_KINDS,
  type Reading,
} from './values.ts';

/** A text that the reader of a flag gives back as it is. */
function readBy(read: (text: string) => Reading<string>): Shape<string> {
  return (value): value is string => {
    const given = text(value) ? read(value) : null;
    return given?.ok === true && given.value === value;
  };
}

const isCommand = readBy(readCheck);
const isGlob = readBy(readGlob);
const isName = readBy(readName);
const isPath = readBy(readPath);
const measureName: Shape<string> = (value): value is string =>
  text(value) && new RegExp(`^${MEASURE_NAME}$`).test(value);
const durationMs = orNull(positive);

/** A field for each of the type: the compiler finds the one that is missing. */
const START_FIELDS: { readonly [K in keyof StartRequest]-?: Shape<StartRequest[K]> } = {
  prompt: text,
  name: orNull(isName),
  driver: oneOf('hook', 'fresh'),
  nest: flag,
  mode: oneOf('loop', 'issue', 'grind'),
  items: orNull(isPath),
  itemsFrom: orNull(isCommand),
  maxItems: orNull(positive),
  maxIterations: orNull(positive),
  promise: orNull(readBy(readPromiseText)),
  checks: list(isCommand),
  heldOut: list(isCommand),
  features: orNull(isPath),
  watchFile: orNull(isPath),
  doneFolder: orNull(isPath),
  require: oneOf('all', 'any'),
  minIterations: whole,
  confirm: orNull(positive),
  measures: list(record({ name: measureName, command: isCommand })),
  keep: list(isName),
  targets: list(record({ name: measureName, is: oneOf('<=', '>='), bound: real })),
  reviewers: list(record({ host: text, model: orNull(text) })),
  rubric: orNull(isPath),
  maxReviews: orNull(positive),
  protect: list(isGlob),
  ground: list(isGlob),
  testsMayChange: flag,
  redFirst: flag,
  clean: flag,
  setup: orNull(isCommand),
  approve: list(readBy(readRule)),
  approveDone: flag,
  approvalTimeoutMs: durationMs,
  approvalPolicy: oneOf('file', 'person'),
  approvals: orNull(isPath),
  timeoutMs: durationMs,
  checkTimeoutMs: durationMs,
  checksTimeoutMs: durationMs,
  checkLater: flag,
  recheckMs: durationMs,
  parallel: orNull(positive),
  config: orNull(either(record({ is: oneOf('file'), file: isPath }), record({ is: oneOf('none') }))),
  promiseByDefault: flag,
  staleAfterMs: positive,
  maxCostUsd: orNull(amount),
  maxTokens: orNull(positive),
  maxStalls: maybe(orNull(positive)),
  views: list(oneOf(...VIEW_KINDS)),
  vault: orNull(isPath),
  notify: list(readBy(readNotify)),
};

const hasStartFields = record(START_FIELDS);
/** JSON leaves out what is undefined, and such a field reads as undefined. */
const startRequest: Shape<StartRequest> = (value): value is StartRequest => hasStartFields(value);

export const runRequestShape: Shape<RunRequest> = record({ request: startRequest, plan });

/** The fields that this program does not know: a newer one has asked for more. */
export function unknownRequestFields({ request, plan: asked }: RunRequest): string[] {
  const unknown = (given: object, known: object) =>
    Object.keys(given).filter((field) => !Object.hasOwn(known, field));
  return [...unknown(request, START_FIELDS), ...unknown(asked, planFields)];
}

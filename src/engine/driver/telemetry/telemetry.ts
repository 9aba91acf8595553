/**
 * OpenTelemetry: a trace per loop, with a span for each drive, iteration, check and wait, and a few counters,
 * as OTLP over HTTP in JSON. No loop waits for the collector: what it does not take in time waits in a
 * bounded queue, and a person hears of it once.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { groupBy } from '#base/group-by.ts';
import type { Loop } from '#law/loop.ts';
import { sha256 } from '#base/files/sha256.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import type { Spent, Tokens } from '#hosts/port/stream.ts';
import { version } from '#base/process/package.ts';
import { otlpSettings, pairsIn, postOtlp, sayTarget, type OtlpAnswer, type OtlpSignal } from './otlp.ts';
import type { RunEvent } from '#engine/run-event.ts';

const FLUSH_MS = 5_000;
/** For how long the end of a run waits before a last attempt. */
const PATIENCE_MS = 2_000;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
const NOTHING_SENT: OtlpAnswer = { is: 'taken' };
const MAX_SPANS_KEPT = 1_000;
const [INTERNAL, OK, ERROR, CUMULATIVE] = [1, 1, 2, 2];

type SpanName = 'drive' | 'iteration' | 'check' | 'wait';
interface OpenSpan {
  readonly id: string;
  readonly at: string;
  readonly attributes: Attributes;
}
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Beside our own names, those of the conventions for generative AI, which dashboards look for: a loop is a
 * workflow, and each iteration invokes an agent.
 */
const INVOKES_WORKFLOW = { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': 'dacapo' };
const INVOKES_AGENT = { 'gen_ai.operation.name': 'invoke_agent' };

/** Their count of input includes what came from a cache. A host that tells no tokens has used some. */
function usageOf(spent: Spent | null): Attributes {
  const { input, output, cacheRead, cacheWrite } = spent?.tokens ?? NO_TOKENS;
  if (input + output + cacheRead + cacheWrite === 0) return {};
  return {
    'gen_ai.usage.input_tokens': input + cacheRead + cacheWrite,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite,
  };
}

const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** `lookAtLoop`: as it is now, because a loop may change hosts. */
export function openTelemetry(lookAtLoop: () => Loop, env: Environment, warn: (text: string) => void) {
  const loop = lookAtLoop();
  const { targets, refused } = otlpSettings(env);
  for (const text of refused) warn(text);
  const began = now();
  const driveId = newId();
  const about = { 'dacapo.loop': loop.id, 'dacapo.project': loop.project };
  const scope = { name: 'dacapo', version: version() };
  const resource = { attributes: encode(resourceOf(env)) };
  const traceId = sha256(loop.id).slice(0, 32);
  const open = new Map<SpanName, OpenSpan>();
  const counters = new Map<string, { name: string; unit: string; attributes: Attributes; value: number }>();
  let { costUsd, tokens } = loop.spent;
  let spans: object[] = [];
  let [restMs, restUntil] = [0, 0];
  let isTold = false;
  let usage: Attributes = {};

  const beginSpan = (name: SpanName, at: string, attributes: Attributes = {}) =>
    open.set(name, { id: name === 'drive' ? driveId : newId(), at, attributes });
  const endSpan = (name: SpanName, at: string, attributes: Attributes = {}, code = OK): void => {
    const span = open.get(name);
    if (span === undefined) return;
    open.delete(name);
    spans.push({
      traceId,
      spanId: span.id,
      ...(name !== 'drive' && { parentSpanId: driveId }),
      name,
      kind: INTERNAL,
      startTimeUnixNano: nano(span.at),
      endTimeUnixNano: nano(at),
      attributes: encode({ ...about, ...span.attributes, ...attributes }),
      status: { code },
    });
    spans = spans.slice(-MAX_SPANS_KEPT);
  };
  const endIteration = (at: string, attributes: Attributes, code = OK): void => {
    endSpan('iteration', at, { ...usage, ...attributes }, code);
    usage = {};
  };
  const count = (name: string, unit: string, by: number, attributes: Attributes = {}): void => {
    const key = `${name} ${JSON.stringify(attributes)}`;
    const counter = counters.get(key) ?? { name, unit, attributes, value: 0 };
    counter.value += Math.max(0, by);
    counters.set(key, counter);
  };
  const metrics = (): object[] =>
    [...groupBy([...counters.values()], ({ name }) => name)].map(([name, points]) => {
      const dataPoints = points.map(({ attributes, value }) => ({
        attributes: encode(attributes),
        startTimeUnixNano: nano(began),
        timeUnixNano: nano(now()),
        asDouble: value,
      }));
      const sum = { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints };
      return { name, unit: points[0]?.unit, sum };
    });
  const send = async (signal: OtlpSignal, body: object): Promise<OtlpAnswer> => {
    const target = targets[signal];
    if (target === undefined) return { is: 'taken' };
    const answer = await postOtlp(target, body);
    if (answer.is !== 'taken' && !isTold) {
      isTold = true;
      warn(`OpenTelemetry: nothing can be sent to ${sayTarget(target)} (${answer.why})`);
    }
    return answer;
  };
  /** Leaves a busy collector alone for at least as long as it asks for, and twice as long each time. */
  const rest = (answers: readonly OtlpAnswer[]): void => {
    const asked = answers.flatMap((answer) => (answer.is === 'later' ? [answer.afterMs ?? 0] : []));
    restMs = asked.length === 0 ? 0 : Math.max(FIRST_REST_MS, restMs * 2, ...asked);
    restUntil = Date.now() + Math.min(restMs, LONGEST_REST_MS);
  };
  /**
   * Spans that could not be taken now are sent again, as far as there is room. Counters are sent whole each
   * time.
   */
  const flush = async (): Promise<void> => {
    const sent = spans.splice(0);
    const traces = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: sent }] }] };
    const counted = { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: metrics() }] }] };
    const [traced, told] = await Promise.all([
      sent.length > 0 ? send('traces', traces) : NOTHING_SENT,
      counters.size > 0 ? send('metrics', counted) : NOTHING_SENT,
    ]);
    if (traced.is === 'later') spans = [...sent, ...spans].slice(-MAX_SPANS_KEPT);
    rest([traced, told]);
  };
  let flushing: Promise<void> | null = null;
  const flushOnce = (): Promise<void> =>
    (flushing ??= flush().finally(() => {
      flushing = null;
    }));
  const clock = setInterval(() => void (Date.now() >= restUntil && flushOnce()), FLUSH_MS).unref();
  beginSpan('drive', began, { ...INVOKES_WORKFLOW, 'gen_ai.conversation.id': loop.id });

  return {
    /** For the environment of a host: its own spans hang under the iteration. Null: none is under way. */
    traceparent: (): string | null => {
      const span = open.get('iteration');
      return span === undefined || targets.traces === undefined ? null : `00-${traceId}-${span.id}-01`;
    },
    /** What the pass of the iteration has used. */
    spend: (spent: Spent | null): void => {
      usage = usageOf(spent);
    },
    hear: (event: RunEvent): void => {
      const { is, at } = event;
      if (is === 'iteration-begins') {
        const { iteration, model, session, item } = event;
        endSpan('wait', at);
        // Broken off, without a verdict.
        endIteration(at, {}, ERROR);
        const facts = { 'dacapo.iteration': iteration, 'dacapo.model': model, 'dacapo.session': session };
        const agent = {
          ...INVOKES_AGENT,
          'gen_ai.agent.name': lookAtLoop().host,
          'gen_ai.conversation.id': session,
          'gen_ai.request.model': model,
        };
        beginSpan('iteration', at, { ...facts, ...agent, 'dacapo.item': item });
      } else if (is === 'check-ended') {
        const passed = { 'dacapo.passed': event.passed };
        beginSpan('check', new Date(Date.parse(at) - event.ms).toISOString());
        endSpan(
          'check',
          at,
          { 'dacapo.check': event.command, ...passed },
          event.passed === false ? ERROR : OK,
        );
        count('dacapo.checks', '{check}', 1, passed);
      } else if (is === 'judged') {
        const verdict = { 'dacapo.verdict': event.verdict };
        endIteration(at, { ...verdict, 'dacapo.reason': event.words });
        // It spends none: the iteration is judged again.
        if (event.verdict !== 'allow') count('dacapo.iterations', '{iteration}', 1, verdict);
      } else if (is === 'fault')
        endIteration(
          at,
          { 'dacapo.fault': event.class, 'error.type': event.class, 'dacapo.reason': event.why },
          ERROR,
        );
      else if (is === 'waits') {
        const what = { 'dacapo.waits_for': event.for };
        beginSpan('wait', at, what);
        count('dacapo.waits', '{wait}', 1, what);
      } else if (is === 'goes-on') endSpan('wait', at);
      else if (is === 'usage') {
        count('dacapo.cost', 'USD', (event.costUsd ?? 0) - costUsd);
        count('dacapo.tokens', '{token}', event.tokens - tokens);
        costUsd = Math.max(costUsd, event.costUsd ?? 0);
        tokens = Math.max(tokens, event.tokens);
      }
    },
    close: async (): Promise<void> => {
      clearInterval(clock);
      for (const name of open.keys()) endSpan(name, now());
      await flushing;
      await flushOnce();
      const waitMs = restUntil - Date.now();
      if (spans.length === 0 || waitMs > PATIENCE_MS) return;
      await sleep(waitMs);
      await flushOnce();
    },
  };
}

function resourceOf(env: Environment): Attributes {
  return {
    'service.version': version(),
    'service.instance.id': `${hostname()}-${process.pid}`,
    'host.name': hostname(),
    ...pairsIn(env['OTEL_RESOURCE_ATTRIBUTES']),
    'service.name': env['OTEL_SERVICE_NAME'] || 'dacapo',
  };
}

function encode(attributes: Attributes): object[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: Attributes[string]): object {
  if (typeof value === 'boolean') return { boolValue: value };
  return typeof value === 'number' ? { intValue: String(value) } : { stringValue: value };
}

function newId(): string {
  return randomBytes(8).toString('hex');
}

function now(): string {
  return new Date().toISOString();
}

function nano(at: string): string {
  return `${Date.parse(at)}000000`;
}

/**
 * OpenTelemetry: a trace per loop, with a span for each drive, iteration, check and wait, and a few counters, as OTLP over
 * HTTP in JSON. What the collector does not take in time is dropped: no loop waits for it, and a person hears of it once.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { groupBy } from '../core/group-by.ts';
import type { Loop } from '../core/loop.ts';
import { errorMessage } from '../core/shape.ts';
import { sha256 } from '../files/sha256.ts';
import type { Environment } from '../hosts/arrival.ts';
import { version } from '../process/package.ts';
import type { RunEvent } from './run-event.ts';

const FLUSH_MS = 5_000;
/** One request may take so long, and so may the end of a run. */
const PATIENCE_MS = 2_000;
const MOST_SPANS = 1_000;
const [INTERNAL, OK, ERROR, CUMULATIVE] = [1, 1, 2, 2];

type SpanName = 'drive' | 'iteration' | 'check' | 'wait';
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

export function openTelemetry(loop: Loop, env: Environment, warn: (text: string) => void) {
  const began = now();
  const driveId = newId();
  const about = { 'dacapo.loop': loop.id, 'dacapo.project': loop.project };
  const scope = { name: 'dacapo', version: version() };
  const resource = { attributes: encode(resourceOf(env)) };
  const open = new Map<SpanName, { readonly at: string; readonly attributes: Attributes }>();
  const counters = new Map<string, { name: string; unit: string; attributes: Attributes; value: number }>();
  let { costUsd, tokens } = loop.spent;
  let spans: object[] = [];
  let isTold = false;

  const begin = (name: SpanName, at: string, attributes: Attributes = {}) =>
    open.set(name, { at, attributes });
  const end = (name: SpanName, at: string, attributes: Attributes = {}, code = OK): void => {
    const span = open.get(name);
    if (span === undefined) return;
    open.delete(name);
    spans.push({
      traceId: sha256(loop.id).slice(0, 32),
      ...(name === 'drive' ? { spanId: driveId } : { spanId: newId(), parentSpanId: driveId }),
      name,
      kind: INTERNAL,
      startTimeUnixNano: nano(span.at),
      endTimeUnixNano: nano(at),
      attributes: encode({ ...about, ...span.attributes, ...attributes }),
      status: { code },
    });
    spans = spans.slice(-MOST_SPANS);
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
  const send = async (signal: 'traces' | 'metrics', body: object): Promise<void> => {
    const url = endpointOf(signal, env);
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...pairs(env['OTEL_EXPORTER_OTLP_HEADERS']), 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    } catch (error) {
      if (!isTold) warn(`OpenTelemetry: nothing can be sent to ${url} (${errorMessage(error)})`);
      isTold = true;
    }
  };
  const flush = async (): Promise<void> => {
    const ended = spans.splice(0);
    const traces = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: ended }] }] };
    const counted = { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: metrics() }] }] };
    await Promise.all([
      ended.length > 0 && send('traces', traces),
      counters.size > 0 && send('metrics', counted),
    ]);
  };
  const clock = setInterval(() => void flush(), FLUSH_MS).unref();
  begin('drive', began);

  return {
    hear: (event: RunEvent): void => {
      const { is, at } = event;
      if (is === 'iteration-begins') {
        const { iteration, model, session, item } = event;
        end('wait', at);
        // Broken off, without a verdict.
        end('iteration', at, {}, ERROR);
        const facts = { 'dacapo.iteration': iteration, 'dacapo.model': model, 'dacapo.session': session };
        begin('iteration', at, { ...facts, 'dacapo.item': item });
      } else if (is === 'check-ended') {
        const passed = { 'dacapo.passed': event.passed };
        begin('check', new Date(Date.parse(at) - event.ms).toISOString());
        end('check', at, { 'dacapo.check': event.command, ...passed }, event.passed === false ? ERROR : OK);
        count('dacapo.checks', '{check}', 1, passed);
      } else if (is === 'judged') {
        const verdict = { 'dacapo.verdict': event.verdict };
        end('iteration', at, { ...verdict, 'dacapo.reason': event.words });
        // It spends none: the iteration is judged again.
        if (event.verdict !== 'allow') count('dacapo.iterations', '{iteration}', 1, verdict);
      } else if (is === 'fault')
        end('iteration', at, { 'dacapo.fault': event.class, 'dacapo.reason': event.why }, ERROR);
      else if (is === 'waits') {
        const what = { 'dacapo.waits_for': event.for };
        begin('wait', at, what);
        count('dacapo.waits', '{wait}', 1, what);
      } else if (is === 'goes-on') end('wait', at);
      else if (is === 'usage') {
        count('dacapo.cost', 'USD', (event.costUsd ?? 0) - costUsd);
        count('dacapo.tokens', '{token}', event.tokens - tokens);
        costUsd = Math.max(costUsd, event.costUsd ?? 0);
        tokens = Math.max(tokens, event.tokens);
      }
    },
    close: () => {
      clearInterval(clock);
      for (const name of open.keys()) end(name, now());
      return flush();
    },
  };
}

/** A variable of the signal's own has the whole address, the common one its beginning. */
function endpointOf(signal: 'traces' | 'metrics', env: Environment): string {
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT'] || 'http://localhost:4318';
  return (
    env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`] || `${base.replace(/\/+$/, '')}/v1/${signal}`
  );
}

function resourceOf(env: Environment): Attributes {
  return {
    'service.version': version(),
    'service.instance.id': `${hostname()}-${process.pid}`,
    'host.name': hostname(),
    ...pairs(env['OTEL_RESOURCE_ATTRIBUTES']),
    'service.name': env['OTEL_SERVICE_NAME'] || 'dacapo',
  };
}

/** `name=value,name=value`, the values with the escapes of a URL. */
function pairs(text = ''): Record<string, string> {
  const found = text.matchAll(/([^=,\s]+)\s*=\s*([^,]*)/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unescaped(value.trim())]));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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

// @module-tag postgres
/** OpenTelemetry of a run on this machine, and of a loop in a fleet: what a collector gets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deadUrl, receiver } from '../../engine/notices/receiver.ts';
import { hasEnded, openStage } from '../stage.ts';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string; readonly boolValue?: boolean };
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}

interface Metric {
  readonly name: string;
  readonly sum: { readonly dataPoints: { readonly asDouble: number; readonly attributes: Attribute[] }[] };
}

function read({ got }: Awaited<ReturnType<typeof receiver>>) {
  const bodies = got.map(({ path, body }) => ({
    path,
    body: JSON.parse(body) as Record<string, Record<string, Record<string, unknown[]>[]>[]>,
  }));
  const of = <T>(path: string, all: string, scoped: string, ones: string) =>
    bodies
      .filter((one) => one.path === path)
      .flatMap(({ body }) => body[all] ?? [])
      .flatMap((one) => one[scoped] ?? [])
      .flatMap((one) => (one[ones] ?? []) as T[]);
  return {
    bodies,
    spans: of<Span>('/v1/traces', 'resourceSpans', 'scopeSpans', 'spans'),
    metrics: of<Metric>('/v1/metrics', 'resourceMetrics', 'scopeMetrics', 'metrics'),
  };
}

const CHECK = 'test $(wc -l < x.txt) -ge 2';
const WORK = 'Add.\ncost: 0.25\ndo: echo x >> x.txt; echo "$TRACEPARENT" >> "${TRACED:-/dev/null}"';

test('a run sends a trace of its loop, and counts', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const collector = await receiver((response) => void response.writeHead(200).end('{}'));
  Object.assign(stage.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=ours,authorization=Basic%20abc',
    TRACED: join(stage.root, 'traced.txt'),
    OTEL_SERVICE_NAME: 'loops',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  });
  const ran = await stage.run('run', WORK, '--check', CHECK, '--pause', '0s', '--json');
  expect(ran.code).toBe(0);
  expect(collector.got[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-team': 'ours',
    authorization: 'Basic abc',
  });
  const { bodies, spans, metrics } = read(collector);
  expect(JSON.stringify(bodies[0])).toContain('{"key":"service.name","value":{"stringValue":"loops"}}');
  expect(JSON.stringify(bodies[0])).toContain('"deployment.environment"');
  const [drive] = spans.filter(({ name }) => name === 'drive');
  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    'check',
    'check',
    'drive',
    'iteration',
    'iteration',
  ]);
  for (const span of spans) {
    expect(span).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      kind: 1,
    });
    expect(span.traceId).toBe(drive?.traceId);
    expect(span.parentSpanId).toBe(span === drive ? undefined : drive?.spanId);
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  }
  const iterations = spans.filter(({ name }) => name === 'iteration');
  expect(iterations.map(({ attributes }) => attributes)).toEqual([
    expect.arrayContaining([
      { key: 'dacapo.iteration', value: { intValue: '1' } },
      { key: 'gen_ai.operation.name', value: { stringValue: 'invoke_agent' } },
      { key: 'gen_ai.agent.name', value: { stringValue: 'claude-code' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '1000' } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: '100' } },
      { key: 'dacapo.verdict', value: { stringValue: 'continue' } },
    ]),
    expect.arrayContaining([{ key: 'dacapo.verdict', value: { stringValue: 'complete' } }]),
  ]);
  // What the agent itself sends hangs under its iteration.
  const given = readFileSync(join(stage.root, 'traced.txt'), 'utf8').trim().split('\n');
  expect(given).toEqual(iterations.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`));
  const checks = spans.filter(({ name }) => name === 'check');
  expect(checks.map(({ status }) => status.code)).toEqual([2, 1]);
  const total = (name: string) =>
    metrics
      .findLast((one) => one.name === name)
      ?.sum.dataPoints.reduce((sum, { asDouble }) => sum + asDouble, 0);
  expect(total('dacapo.iterations')).toBe(2);
  expect(total('dacapo.checks')).toBe(2);
  expect(total('dacapo.cost')).toBeCloseTo(0.5);
  expect(total('dacapo.tokens')).toBe(2_200);
});

test('a collector that is not there is told of once, and changes nothing', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  stage.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = await deadUrl();
  const ran = await stage.run('run', WORK, '--check', CHECK, '--pause', '0s', '--json');
  expect(ran.code).toBe(0);
  expect(ran.stdout.match(/OpenTelemetry: nothing can be sent/g)).toHaveLength(1);
});

test(
  'a loop of a fleet has one trace over its workers; OTEL_SDK_DISABLED sends nothing',
  { timeout: 60_000 },
  async () => {
    const stage = await openStage();
    const collector = await receiver();
    const id = await stage.submit(WORK, '--check', CHECK, '--pause', '6s');
    const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const first = await stage.worker('w1', [], otel);
    await stage.until(id, ({ waits }) => waits?.for === 'pause');
    first.process.kill('SIGTERM');
    await first.ended;
    const { spans } = read(collector);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['drive', 'iteration', 'check']));
    const before = collector.got.length;
    await stage.worker('w2', [], { ...otel, OTEL_SDK_DISABLED: 'true' });
    await stage.until(id, hasEnded);
    expect(collector.got.length).toBe(before);
  },
);

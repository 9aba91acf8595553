/** OTLP by the book: what the standard variables mean, and what becomes of a collector that is busy. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { otlpSettings, postOtlp, sayTarget, type OtlpTarget } from '#engine/driver/telemetry/otlp.ts';
import { openTelemetry } from '#engine/driver/telemetry/telemetry.ts';
import { running } from '../../../law/given.ts';
import { deadUrl, receiver } from '../../notices/receiver.ts';

const BASE = 'http://collector:4318';

function settings(env: Readonly<Record<string, string>>) {
  const { targets, refused } = otlpSettings(env);
  const { traces, metrics } = targets;
  return { traces: traces?.url.href, metrics: metrics?.url.href, targets, refused };
}

describe('the variables', () => {
  it('one address is the beginning of both, one of a signal is whole and alone', () => {
    expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: `${BASE}/` })).toMatchObject({
      traces: `${BASE}/v1/traces`,
      metrics: `${BASE}/v1/metrics`,
      refused: [],
    });
    expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: `${BASE}/a?k=1` }).traces).toBe(`${BASE}/a/v1/traces?k=1`);
    // Metrics went to localhost, and warned.
    const own = settings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${BASE}/mine` });
    expect(own).toMatchObject({ traces: `${BASE}/mine`, metrics: undefined, refused: [] });
  });

  it.each(['OTEL_TRACES_EXPORTER', 'OTEL_METRICS_EXPORTER'])('%s=none sends none of them', (name) => {
    const { targets, refused } = settings({ OTEL_EXPORTER_OTLP_ENDPOINT: BASE, [name]: 'none' });
    expect(Object.keys(targets)).toEqual([name.includes('TRACES') ? 'metrics' : 'traces']);
    expect(refused).toEqual([]);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
  ])('%s=%s is refused with a sentence, and nothing is sent', (name, value) => {
    const { targets, refused } = settings({ OTEL_EXPORTER_OTLP_ENDPOINT: BASE, [name]: value });
    expect(targets).toEqual({});
    expect(refused).toEqual([
      expect.stringContaining(`${name}=${value} is not supported, so nothing is sent`),
    ]);
  });

  it('of a signal come before the common ones', () => {
    const { targets, refused } = settings({
      OTEL_EXPORTER_OTLP_ENDPOINT: BASE,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=ours,authorization=Basic%20abc',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=mine',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '5000',
    });
    expect(targets.traces).toMatchObject({ headers: { 'x-key': 'mine' }, timeoutMs: 5_000 });
    expect(targets.metrics).toBeUndefined();
    expect(refused).toHaveLength(1);
    const common = settings({ OTEL_EXPORTER_OTLP_ENDPOINT: BASE, OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c' });
    expect(common.targets.metrics?.headers).toEqual({ a: 'b c' });
  });

  it.each(['collector:4317', 'grpc://collector', 'nonsense', 'https://'])('%s is no address', (address) => {
    const { targets, refused } = settings({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
    expect(targets).toEqual({});
    expect(refused).toEqual([expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT is not an http')]);
  });

  it('another exporter than OTLP is refused; an empty value is none', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: BASE, OTEL_TRACES_EXPORTER: 'console' };
    expect(settings(env).refused).toEqual([expect.stringContaining('OTEL_TRACES_EXPORTER=console')]);
    expect(settings({ ...env, OTEL_TRACES_EXPORTER: '' }).traces).toBeDefined();
    expect(settings({ ...env, OTEL_TRACES_EXPORTER: 'console,otlp' }).traces).toBeDefined();
    expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toMatchObject({ targets: {}, refused: [] });
  });
});

function targetAt(url: string, more: Partial<OtlpTarget> = {}): OtlpTarget {
  return { url: new URL(url), headers: {}, isGzip: false, timeoutMs: 2_000, ...more };
}

describe('one attempt', () => {
  it('headers never follow a redirect', async () => {
    const elsewhere = await receiver();
    const collector = await receiver(
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const sent = await postOtlp(targetAt(collector.url, { headers: { 'x-key': 'canary' } }), {});
    expect(sent).toEqual({ is: 'refused', why: 'it answers 307' });
    expect(elsewhere.got).toEqual([]);
  });

  it('a password in the address is a header, and is never shown', async () => {
    const collector = await receiver();
    const target = targetAt(collector.url.replace('//', '//ann:can%40ry@') + '/v1/traces?key=canary');
    expect(await postOtlp(target, {})).toEqual({ is: 'taken' });
    const basic = `Basic ${Buffer.from('ann:can@ry').toString('base64')}`;
    expect(collector.got[0]?.headers.authorization).toBe(basic);
    expect(sayTarget(target)).toBe(`${collector.url}/v1/traces`);
  });

  it.each([
    [429, '3', { is: 'later', afterMs: 3_000 }],
    [502, null, { is: 'later', afterMs: null }],
    [503, new Date(Date.now() + 3_600_000).toUTCString(), { is: 'later', afterMs: expect.any(Number) }],
    [504, 'soon', { is: 'later', afterMs: null }],
    [400, null, { is: 'refused' }],
    [500, null, { is: 'refused' }],
  ])('%d with Retry-After %s', async (status, after, expected) => {
    const headers = after === null ? {} : { 'retry-after': after };
    const collector = await receiver((response) => void response.writeHead(status, headers).end());
    expect(await postOtlp(targetAt(collector.url), {})).toMatchObject(expected);
  });

  it('gzip', async () => {
    const bytes: Buffer[] = [];
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => bytes.push(chunk)).on('end', () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await postOtlp(targetAt(`http://127.0.0.1:${port}`, { isGzip: true }), { spans: [1] });
    expect(gunzipSync(Buffer.concat(bytes)).toString()).toBe('{"spans":[1]}');
  });
});

function iteration(n: number) {
  const at = new Date().toISOString();
  return {
    begins: {
      is: 'iteration-begins',
      at,
      iteration: n,
      iterations: null,
      model: null,
      session: 's',
      feature: null,
      item: null,
    },
    judged: { is: 'judged', at, verdict: 'continue', words: '', gates: [], missing: [] },
  } as const;
}

test('a busy collector gets the same spans again, and one that is gone is told of once, without its password', async () => {
  const collector = await receiver(
    (response, n) => void response.writeHead(n === 1 ? 503 : 200, { 'retry-after': '0' }).end(),
  );
  const warnings: string[] = [];
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url };
  const telemetry = openTelemetry(running, env, (text) => warnings.push(text));
  await telemetry.close();
  expect(collector.got).toHaveLength(2);
  expect(collector.got[1]?.body).toBe(collector.got[0]?.body);
  expect(warnings).toHaveLength(1);

  const dead = (await deadUrl()).replace('//', '//ann:canary@');
  const gone = openTelemetry(running, { OTEL_EXPORTER_OTLP_ENDPOINT: dead }, (text) => warnings.push(text));
  for (let n = 1; n <= 3_000; n++) {
    gone.hear(iteration(n).begins);
    gone.hear(iteration(n).judged);
  }
  await gone.close();
  expect(warnings).toHaveLength(2);
  expect(warnings[1]).toMatch(/nothing can be sent to http:\/\/127/);
  expect(warnings.join()).not.toContain('canary');
});

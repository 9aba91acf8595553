import { PASS_PLACE } from '../pass-place.ts';
import { describe, expect, it } from 'vitest';
import { opencodeAdapter } from '#hosts/opencode/adapter.ts';
import { headlessConformance, PASS, replay, streamsIn } from '../headless-conformance.ts';

const host = opencodeAdapter.headless;

/** What its real program wrote, with the scripted model behind it. */
const of = streamsIn(import.meta.dirname);

const TOOLS = of('tools', 0, { is: 'stopped', message: 'Done.', toolUsed: true });

headlessConformance({
  host,
  recorded: [
    of('stopped', 0, { is: 'stopped', message: 'One.', toolUsed: false }),
    TOOLS,
    of('401', 1, { is: 'fatal', kind: 'auth' }),
    of('403', 1, { is: 'fatal', kind: 'permission' }),
    of('404', 1, { is: 'fatal', kind: 'model' }),
    of('400', 1, { is: 'fatal', kind: 'config' }),
  ],
  disguise: (line, prose) =>
    JSON.stringify(
      JSON.parse(line, (key, value: unknown) =>
        typeof value === 'string' && ['text', 'output', 'message'].includes(key) ? prose : value,
      ),
    ),
});

describe('its command', () => {
  it('names the session and the model', () => {
    expect(host.command({ ...PASS, resume: 's', model: 'a/m' }, PASS_PLACE).args).toEqual([
      'run',
      '--format',
      'json',
      '--session',
      's',
      '--model=a/m',
    ]);
  });

  it('brings the guard along, and keeps the settings that the person has in the same variable', () => {
    const name = 'OPENCODE_CONFIG_CONTENT';
    const before = process.env[name];
    try {
      process.env[name] = '{"share":"disabled","plugin":["mine"]}';
      const settings: unknown = JSON.parse(host.command(PASS, PASS_PLACE).env[name] ?? '');
      const ours = expect.stringMatching(/^file:.*\/extensions\/opencode\/dacapo\.js$/);
      expect(settings).toEqual({ share: 'disabled', plugin: ['mine', ours] });
    } finally {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
  });
});

describe('its stream', () => {
  const step = (reason: string) =>
    JSON.stringify({
      type: 'step_finish',
      sessionID: 's',
      part: {
        reason,
        messageID: reason,
        cost: 0.5,
        tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 10, write: 1 } },
      },
    });

  it('shows commands and how they ended, and the tokens of the pass', () => {
    const { seen, record } = replay(host, TOOLS);
    expect(seen.flatMap((one) => (one.is === 'tool' ? [one.summary] : []))).toEqual([
      'echo HI > a.txt; ls',
      'exit 3',
    ]);
    expect(seen.flatMap((one) => (one.is === 'tool-outcome' ? [one.failed] : []))).toEqual([false, true]);
    expect(record.spent?.tokens).toEqual({ input: 270, output: 60, cacheRead: 30, cacheWrite: 0 });
  });

  it('tells the price of all steps, also of a pass that was cut off', () => {
    const lines = [step('tool-calls'), step('stop')];
    const { spent } = replay(host, { lines, exit: 0 }).record;
    expect(spent).toEqual({
      costUsd: 1,
      tokens: { input: 200, output: 50, cacheRead: 20, cacheWrite: 2 },
    });
    const { reckoned } = replay(host, { lines: lines.slice(0, 1), exit: null, signal: 'SIGKILL' }).record;
    expect(reckoned.last?.costUsd).toBe(0.5);
  });

  it.each([
    ['ProviderAuthError', { is: 'fatal', kind: 'auth' }],
    ['ProviderModelNotFoundError', { is: 'fatal', kind: 'model' }],
    ['UnknownError', { is: 'transient', status: null }],
  ])('knows %s, which has no status', (name, outcome) => {
    const error = { type: 'error', sessionID: 's', error: { name, data: { message: 'no' } } };
    expect(replay(host, { lines: [JSON.stringify(error)], exit: 1 }).outcome).toMatchObject(outcome);
  });
});

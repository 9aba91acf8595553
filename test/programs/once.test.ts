// Exactly once (design §3), with real processes at the same instant: no lock, the first line in file order
// wins.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Event } from '#law/record/events.ts';
import {
  HOOK,
  beginHook,
  continues,
  eventsOf,
  makeProgram,
  pause,
  said,
  until,
  type Payload,
  type Program,
  type Said,
} from './program.ts';

/**
 * Many times the processors of a machine that runs tests: of still more, each only waits longer for its turn.
 */
const MANY = 40;
/** The order in which the system runs them differs from round to round. */
const ROUNDS = 4;
const PATIENCE = 120_000;

const opened: Program[] = [];
afterEach(() => {
  for (const hook of opened.splice(0)) hook.close();
});

async function live(args = 'Build it --max-iterations unlimited --max-stalls off'): Promise<Program> {
  const hook = makeProgram();
  opened.push(hook);
  await hook.start(args);
  return hook;
}

/** All have begun and wait for their input before the first one gets it: nobody can be called late. */
async function atOnce(hook: Program, payloads: readonly Payload[]): Promise<(Said | null)[]> {
  const running = payloads.map((payload) => ({ payload, ...hook.begin(null) }));
  await until('all wait for their input', () => running.every(({ child }) => isReading(child.pid)), PATIENCE);
  for (const { child, payload } of running) child.stdin?.end(JSON.stringify(payload));
  return (await Promise.all(running.map(({ ended }) => ended))).map(said);
}

/** In the system call that reads from stdin: 0 is `read` on x64, and so is the file's number. */
function isReading(pid: number | undefined): boolean {
  const [call, file] = readFileSync(`/proc/${pid}/syscall`, 'utf8').split(' ');
  return (call === '0' || call === '63') && file === '0x0';
}

/** The same hook, registered a second time: with other arguments, or as a plugin, from the same folder. */
const SECOND = {
  'with other arguments': (hook: Program, payload: Payload) =>
    beginHook(process.execPath, [HOOK, 'a second registration'], payload, {
      cwd: hook.project,
      env: hook.env,
    }).ended,
  'as a plugin': (hook: Program, payload: Payload) =>
    hook.run(payload, { CLAUDE_PLUGIN_ROOT: dirname(dirname(HOOK)) }),
};

/** The claims that won their ordinal, as `fold` sees them. */
function heard(events: readonly Event[]): number[] {
  return [...new Set(eventsOf(events, 'verdict').map(({ n }) => n))];
}

const linux = process.platform === 'linux';

describe.runIf(linux)('at once, on one loop', () => {
  test(
    `${MANY} deliveries of one stop count one`,
    async () => {
      const hook = await live();
      const answers = await atOnce(
        hook,
        Array.from({ length: MANY }, () => hook.stopped('The same words.')),
      );
      expect(answers.filter(continues)).toHaveLength(1);
      expect(answers.filter((answer) => answer === null)).toHaveLength(MANY - 1);
      expect(hook.passes()).toBe(1);
      expect(hook.loop().stops).toBe(1);
      expect(heard(hook.events())).toEqual([1]);
      expect(hook.viewIsWhole()).toBe(true);
      expect(hook.log().match(/claim=ours/g)).toHaveLength(1);
      // And the next one is a stop of its own.
      expect(continues(await hook.stop('The same words.'))).toBe(true);
      expect(hook.passes()).toBe(2);
    },
    PATIENCE,
  );

  test(
    `${MANY} stops with different prompt ids count ${MANY}`,
    async () => {
      const hook = await live();
      const stops = Array.from({ length: MANY }, (_, k) =>
        hook.stopped('Words.', { prompt_id: `prompt-${k}` }),
      );
      const answers = await atOnce(hook, stops);
      expect(answers.filter(continues)).toHaveLength(MANY);
      // Every line of the journal parses, and no event is lost: each stop is there with its verdict, in
      // order.
      const events = hook.events();
      const ordinals = Array.from({ length: MANY }, (_, k) => k + 1);
      expect(heard(events)).toEqual(ordinals);
      expect(new Set(eventsOf(events, 'stop').map(({ prompt }) => prompt)).size).toBe(MANY);
      expect(eventsOf(events, 'lost')).toEqual([]);
      expect(hook.loop()).toMatchObject({ stops: MANY, open: null, events: events.length });
      expect(hook.passes()).toBe(MANY);
      // Each was told another iteration.
      const told = answers.map((answer) => Number(/iteration (\d+)/.exec(answer?.systemMessage ?? '')?.[1]));
      expect(told.toSorted((a, b) => a - b)).toEqual(ordinals.map((n) => n + 1));
      expect(hook.viewIsWhole()).toBe(true);
      // However slow one of them was, the view shows the last.
      expect(hook.view()).toContain(`\niteration: ${MANY + 1}\n`);
      expect(hook.view()).toContain(`\nrendering: ${events.length}\n`);
    },
    PATIENCE,
  );

  test(
    'every stop delivered twice, one after the other: each counts one',
    async () => {
      const hook = await live();
      for (let n = 1; n <= 2 * ROUNDS; n++) {
        const payload = hook.stopped('The same words every time.');
        const answers = await atOnce(hook, [payload, payload]);
        expect(answers.filter(continues)).toHaveLength(1);
        expect(hook.passes()).toBe(n);
      }
    },
    PATIENCE,
  );

  test(
    'the limit is exact: of many stops at once, the last allowed one ends the loop',
    async () => {
      const hook = await live('Build it --max-iterations 10 --max-stalls off');
      const stops = Array.from({ length: 30 }, (_, k) =>
        hook.stopped('Words.', { prompt_id: `prompt-${k}` }),
      );
      const answers = await atOnce(hook, stops);
      expect(answers.filter(continues)).toHaveLength(9);
      expect(hook.loop().status).toEqual({ is: 'exhausted', limit: 'iterations' });
      expect(hook.passes()).toBe(10);
      expect(hook.hasView()).toBe(false);
    },
    PATIENCE,
  );
});

describe.runIf(linux)('delivered twice', () => {
  test(
    'a start acts once, and one of the deliveries speaks',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const hook = makeProgram();
        opened.push(hook);
        const start = hook.command('dacapo:ralph', 'Build it --max-iterations 5');
        const answers = await atOnce(hook, [start, { ...start, command_name: 'ralph' }, start]);
        expect(answers.filter(continues)).toHaveLength(1);
        expect(answers.filter((answer) => answer === null)).toHaveLength(2);
        expect(readdirSync(join(hook.home, 'loops'))).toHaveLength(1);
        expect(readdirSync(join(hook.project, '.claude'))).toEqual(['ralph-loop.local.md']);
        expect(eventsOf(hook.events(), 'created')).toHaveLength(1);
        expect(eventsOf(hook.events(), 'bound')).toHaveLength(1);
        expect(hook.viewIsWhole()).toBe(true);
      }
    },
    PATIENCE,
  );

  test(
    'a cancel acts once, and one of the deliveries speaks',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const hook = await live();
        await hook.stop();
        const cancel = hook.command('cancel-ralph', '', { prompt_id: 'the-cancel' });
        const answers = await atOnce(hook, [cancel, cancel, cancel]);
        const spoken = answers.filter((answer) => answer !== null);
        expect(spoken).toHaveLength(1);
        expect(spoken[0]?.reason).toMatch(/cancelled after 1 iteration/);
        expect(eventsOf(hook.events(), 'cancelled').length).toBeGreaterThanOrEqual(1);
        expect(hook.loop().status).toMatchObject({ is: 'cancelled', by: 'session' });
        expect(hook.hasView()).toBe(false);
        expect(readdirSync(join(hook.home, 'sessions'))).toEqual([]);
      }
    },
    PATIENCE,
  );

  test('a second delivery that comes late is silent too', async () => {
    const hook = await live();
    const late = hook.begin(null);
    await until('it waits', () => isReading(late.child.pid));
    const payload = hook.stopped();
    expect(continues(said(await hook.run(payload)))).toBe(true);
    await pause(50);
    late.child.stdin?.end(JSON.stringify(payload));
    expect(said(await late.ended)).toBeNull();
    expect(hook.passes()).toBe(1);
  });

  test.each(Object.entries(SECOND))(
    'so is one that the host starts only after the first was answered, registered %s',
    async (_, deliver) => {
      const hook = await live();
      const payload = hook.stopped();
      expect(continues(said(await hook.run(payload)))).toBe(true);
      expect(said(await deliver(hook, payload))).toBeNull();
      expect(hook.passes()).toBe(1);
    },
  );
});

describe('one after the other', () => {
  test('two real stops with the very same words are two', async () => {
    const hook = await live();
    for (let n = 1; n <= 5; n++) {
      expect(continues(await hook.stop('Exactly the same words.', { stop_hook_active: n > 1 }))).toBe(true);
      expect(hook.passes()).toBe(n);
    }
    expect(new Set(eventsOf(hook.events(), 'stop').map(({ words }) => words)).size).toBe(1);
  });

  test.each(Object.entries(SECOND))('two registrations hear each once, the second %s', async (_, second) => {
    const hook = await live();
    for (let n = 1; n <= 4; n++) {
      const payload = hook.stopped('Exactly the same words.', { stop_hook_active: n > 1 });
      const deliveries = [() => hook.run(payload), () => second(hook, payload)];
      if (n % 2 === 0) deliveries.reverse();
      const answers = [];
      for (const deliver of deliveries) answers.push(said(await deliver()));
      expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
      expect(hook.passes()).toBe(n);
    }
  });

  test('the same start typed again is refused, not taken for a second delivery', async () => {
    const hook = await live('Build it');
    const again = said(await hook.run(hook.command('ralph', 'Build it', { prompt_id: 'prompt-2' })));
    expect(again?.decision).toBe('block');
    expect(again?.reason).toMatch(/has loop .* already/);
  });

  test('a stop that answers a cancel is allowed, and the next cancel finds nothing', async () => {
    const hook = await live();
    await hook.run(hook.command('cancel-ralph', '', { prompt_id: 'c1' }));
    expect(await hook.stop()).toBeNull();
    const again = said(await hook.run(hook.command('cancel-ralph', '', { prompt_id: 'c2' })));
    expect(again?.reason).toMatch(/No active Ralph loop/);
  });
});

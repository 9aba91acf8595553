// @module-tag agents
// Real agents driven by the Agent Client Protocol. The suite runs one that has no adapter of its own, through
// some of the cases. By hand,
// `DACAPO_ACP=gemini,kilo npx vitest run test/e2e/hosts/acp.test.ts` runs others of `acp-agents.ts`, after
// `node scripts/test/hosts.mjs kilo` and so on; `DACAPO_ACP=all` runs every one of them.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dacapo, ofKind, startDacapo } from '../dacapo.ts';
import { until } from '../world.ts';
import { ACP_AGENTS, type AcpAgent, type AcpName } from './acp-agents.ts';
import type { Script } from './script.ts';
import { hostStage, type HostStage } from './stage.ts';
import { CHECK, journal, shown, THREE } from './suite.ts';

const asked = process.env['DACAPO_ACP'];
const chosen = asked ?? 'kimi';
/** The suite runs a few of the cases, since each starts the agent several times. */
const isByHand = asked !== undefined;
const NAMES = (chosen === 'all' ? Object.keys(ACP_AGENTS) : chosen.split(',')) as AcpName[];

const LONG = { timeout: 170_000 };
const APPROVE = ['--approve', 'shell(touch *)'];

interface Staged {
  readonly stage: HostStage;
  readonly host: string;
  readonly run: (...more: string[]) => string[];
}

async function staged({ rig, command }: AcpAgent, script: Script): Promise<Staged> {
  const stage = await hostStage(rig, script);
  const host = `acp:${command(join(stage.root, 'bin'))}`;
  const line = ['run', '--host', host, 'Make done.txt', ...CHECK, '--pause', '0', '--json'];
  return { stage, host, run: (...more) => [...line, ...more] };
}

const ALL = ['--permission-mode', 'all'];
const countOf = (stage: HostStage, type: string) => journal(stage).filter((one) => one.type === type).length;

describe.each(NAMES)('%s by ACP', (name) => {
  const agent: AcpAgent = ACP_AGENTS[name];

  test('three iterations, with a check that fails twice', LONG, async () => {
    const { stage, host, run } = await staged(agent, THREE);
    const ended = await dacapo({ sandbox: stage }, ...run(...ALL));
    expect(ended.code).toBe(0);
    expect(stage.model.requests).toHaveLength(4);
    expect(stage.model.requests[1]?.text).toContain('check `test -f done.txt` failed with exit code 1');
    const told = { tokens: 0, ...agent.tells };
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3, host, ...told });
    expect(stage.processes()).toEqual([]);
  });

  test.runIf(agent.loads)('one session for all iterations', LONG, async () => {
    const { stage, run } = await staged(agent, ({ n }) => THREE[n + 1] ?? 'There it is.');
    expect((await dacapo({ sandbox: stage }, ...run('--continue', ...ALL))).code).toBe(0);
    const told = stage.model.requests[1]?.messages.map(({ text }) => text).join('\n');
    expect(told).toContain('Still nothing.');
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 2 });
  });

  test.runIf(isByHand && agent.unauthorized)(
    'a key that is not accepted is a fault, and no iteration',
    LONG,
    async () => {
      const { stage, run } = await staged(agent, [{ status: 401 }]);
      const running = startDacapo({ sandbox: stage }, run(...ALL));
      await until(() => running.stdout().includes('"is":"fault"'), 'the fault', 120_000);
      await dacapo({ sandbox: stage }, 'cancel');
      const [fault] = ofKind(await running.ended, 'fault');
      expect(fault).toMatchObject({ class: agent.unauthorized });
      expect(countOf(stage, 'stop')).toBe(0);
    },
  );

  /** In the middle of its second pass, once. */
  const hung = async () => {
    let hasHung = false;
    const { stage, run } = await staged(agent, ({ n }) => {
      if (n === 0) return 'Nothing yet.';
      const isFirst = !hasHung;
      hasHung = true;
      if (isFirst) return { text: 'late', delay: 160_000 };
      return n % 2 === 0 ? { run: 'touch done.txt' } : 'There it is.';
    });
    const running = startDacapo({ sandbox: stage }, run(...ALL));
    await until(() => stage.model.requests.length >= 2, 'the second pass', 120_000);
    return { stage, running };
  };

  test.runIf(isByHand)(
    'cancel from another terminal ends the pass, and leaves nothing running',
    LONG,
    async () => {
      const { stage, running } = await hung();
      expect((await dacapo({ sandbox: stage }, 'cancel')).code).toBe(0);
      await running.ended;
      expect(await shown(stage)).toMatchObject({ status: 'cancelled' });
      await until(() => stage.processes().length === 0, 'the agent to be gone');
    },
  );

  test.runIf(isByHand)('kill -9 in the middle of an iteration, then resume completes', LONG, async () => {
    const { stage, running } = await hung();
    running.signal('SIGKILL');
    await running.ended;
    await until(() => stage.processes().length === 0, 'the agent to be gone with its driver');
    expect((await dacapo({ sandbox: stage }, 'resume', '--json')).code).toBe(0);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 2 });
  });

  test.runIf(agent.asks)('a person approves a call in the middle of a pass', LONG, async () => {
    const { stage, run } = await staged(agent, [{ run: 'touch done.txt' }, 'There it is.']);
    const running = startDacapo({ sandbox: stage }, run(...APPROVE));
    await until(() => running.stdout().includes('"is":"waits"'), 'the request', 120_000);
    expect(stage.has('done.txt')).toBe(false);
    const { stdout } = await dacapo({ sandbox: stage }, 'approvals', '--json');
    expect(stdout).toContain('touch done.txt');
    expect((await dacapo({ sandbox: stage }, 'approve')).code).toBe(0);
    expect((await running.ended).code).toBe(0);
    expect([countOf(stage, 'taken'), countOf(stage, 'released')]).toEqual([1, 1]);
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 1 });
  });

  test.runIf(isByHand && agent.asks)('nobody answers: the loop waits without the agent', LONG, async () => {
    const { stage, run } = await staged(agent, [{ run: 'touch done.txt' }, 'There it is.']);
    const running = startDacapo({ sandbox: stage }, run(...APPROVE), { DACAPO_HOLD_SECONDS: '0' });
    await until(() => running.stdout().includes('"is":"waits"'), 'the wait', 120_000);
    expect(await shown(stage)).toMatchObject({ status: 'waiting' });
    await until(() => !stage.processes().some((pid) => isAgent(pid, name)), 'the agent to be gone');
    expect((await dacapo({ sandbox: stage }, 'reject')).code).toBe(0);
    await until(() => countOf(stage, 'taken') === 2, 'the next pass', 120_000);
    await dacapo({ sandbox: stage }, 'cancel');
    await running.ended;
    expect(stage.has('done.txt')).toBe(false);
  });

  test.runIf(isByHand && agent.asks)(
    'a command that no rule and no mode allows is denied and told',
    LONG,
    async () => {
      const { stage, run } = await staged(agent, [{ run: 'touch done.txt' }, 'I may not.']);
      const ended = await dacapo({ sandbox: stage }, ...run('--max-iterations', '1'));
      expect(stage.has('done.txt')).toBe(false);
      const warned = ofKind(ended, 'warning').map(({ text }) => text);
      expect(warned.join('\n')).toContain('touch done.txt');
    },
  );

  test.runIf(isByHand && agent.reviews)('it reviews the work of another', LONG, async () => {
    const { stage, host, run } = await staged(agent, ({ messages }) => {
      const isReview = messages.some(({ text }) => text.includes('"approve": true'));
      if (isReview) return '{"approve": true, "missing": [], "seen": ["done.txt:1 it is there"]}';
      return stage.has('done.txt') ? 'There it is.' : { run: 'echo yes > done.txt' };
    });
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'First'], {
      cwd: stage.project,
      env: stage.env,
    });
    const ended = await dacapo({ sandbox: stage }, ...run('--review', host, ...ALL));
    expect(journal(stage).find(({ type }) => type === 'reviewed')).toMatchObject({
      host,
      answer: 'approved',
    });
    expect(ended.code).toBe(0);
  });
});

/** Da Capo's own processes stay: it waits. */
function isAgent(pid: number, name: string): boolean {
  const line = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  return line.includes(name) && !line.includes('cli.cjs');
}

// @module-tag agents
// One loop over three real hosts: it begins in Claude Code, goes on in Codex and ends in Gemini CLI, with one journal.
import { describe, expect, test } from 'vitest';
import { dacapo, startDacapo, untilSaid, UNATTENDED } from '../dacapo.ts';
import { hostStage } from './stage.ts';
import { CHECK, journal, shown } from './suite.ts';

const usage = { input: 100, output: 20 };

describe('a loop that changes hosts', () => {
  test('has one journal and exact counts', async () => {
    const stage = await hostStage(
      'claude-code',
      ({ host, n }) => {
        if (host !== 'gemini') return { text: `${host} found nothing.`, usage };
        return n === 0 ? { run: 'touch done.txt', usage } : { text: 'There it is.', usage };
      },
      'codex',
      'gemini',
    );
    const sandbox = { sandbox: stage } as Parameters<typeof startDacapo>[0];
    /** One iteration; then Ctrl-C in the pause after it. */
    const once = async (...args: string[]) => {
      const run = startDacapo(sandbox, args);
      await untilSaid(run, '"is":"judged"');
      run.signal('SIGINT');
      await run.ended;
    };
    await once('run', 'Make done.txt', ...CHECK, '--continue', '--pause', '1h', '--json', ...UNATTENDED);
    const { id } = (await shown(stage)) as unknown as { id: string };
    const codex = ['--', '--dangerously-bypass-approvals-and-sandbox'];
    await once('run', '--loop', id, '--host', 'codex', '--pause', '1h', '--json', ...codex);
    const gemini = ['--permission-mode', 'yolo', '--model', 'gemini-2.5-flash'];
    const last = await dacapo(sandbox, 'run', '--loop', id, '--host', 'gemini', '--pause', '0', ...gemini);
    expect(last).toMatchObject({ code: 0 });
    expect(await shown(stage)).toMatchObject({ status: 'completed', iteration: 3, tokens: 480 });
    const taken = journal(stage).filter(({ type }) => type === 'taken');
    expect(taken).toMatchObject([{ host: 'claude-code' }, { host: 'codex' }, { host: 'gemini' }]);
    expect(stage.model.requests.map(({ host }) => host)).toEqual([
      'claude-code',
      'codex',
      'gemini',
      'gemini',
    ]);
    // Each is told what the one before it left open.
    expect(stage.model.requests[1]?.text).toContain('check `test -f done.txt` failed');
    expect(stage.model.requests[2]?.text).toContain('check `test -f done.txt` failed');
    expect(stage.processes()).toEqual([]);
  });
});

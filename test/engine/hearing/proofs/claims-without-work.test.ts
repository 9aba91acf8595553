/** An agent that only says that it is done: stop hooks and checks look at the work instead. */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configured, repository } from '../configured.ts';
import { DONE, SECOND, toAgent, toPerson } from '../stage.ts';

const LIST = 'feature_list.json';

function list(passes: boolean): string {
  const features = ['Log in', 'Log out'].map((description, k) => ({ id: k + 1, description, passes }));
  return JSON.stringify({ features });
}

describe('"done" without work, a whole list marked complete with only metadata changed', () => {
  it('a real-work hook says no as long as nothing but the list has changed', async () => {
    const stage = repository(configured(`{ hooks: [{ type: 'real-work' }] }`));
    writeFileSync(join(stage.project, LIST), list(false));
    stage.wait(2 * SECOND);
    await stage.start(`Build it. --features ${LIST}`);
    stage.wait(SECOND);
    stage.write(list(true), { file: LIST, ago: 0 });
    const answer = await stage.stop('All features are complete!');
    expect(answer.is).toBe('continue');
    expect(toAgent(answer)).toContain('no work is seen: only feature_list.json was modified');
    expect(toAgent(answer)).toContain('Marking something as done is not doing it.');
    // Waiting a pass is not work either.
    stage.wait(2 * SECOND);
    expect((await stage.stop('Still complete!')).is).toBe('continue');
    stage.wait(2 * SECOND);
    stage.write('export const login = 1;', { file: 'src/login.ts', ago: 0 });
    await stage.stop('Now it is.');
    expect(stage.status()).toBe('completed');
  });

  it('a check says no by itself', async () => {
    const stage = configured(`{ checks: { login: 'test -f src/login.ts' } }`);
    writeFileSync(join(stage.project, LIST), list(false));
    await stage.start(`Build it. --features ${LIST}`);
    writeFileSync(join(stage.project, LIST), list(true));
    expect(toAgent(await stage.stop('All features are complete!'))).toContain(
      'check login `test -f src/login.ts` failed with exit code 1',
    );
  });
});

describe('a judge that only reads the chat is blind', () => {
  it('a stop hook sees what Da Capo ran and which files changed, whatever the message claims', async () => {
    const stage = repository(
      configured(`{
        checks: { tests: 'echo 2 of 40 failed; exit 1' },
        hooks: [{ name: 'judge', hook: ({ agentOutput, validationResults: [tests], filesModified }) => ({
          action: tests.passed && filesModified.length > 0 ? 'complete' : 'continue',
          reason: JSON.stringify([agentOutput.includes('40 tests pass'), tests.passed, tests.message, filesModified.length]),
        }) }],
      }`),
    );
    stage.wait(2 * SECOND);
    await stage.start('Fix it. --completion-promise COMPLETE');
    const answer = await stage.stop(`I ran them: all 40 tests pass.\n\n${DONE}`);
    expect(answer.is).toBe('continue');
    expect(toPerson(answer)).toContain('check tests');
    expect(toAgent(answer)).toContain(String.raw`[true,false,"failed with exit code 1\n2 of 40 failed",0]`);
  });
});

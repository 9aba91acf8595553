/** Stop hooks are asked at every stop: in the frames of items and in inner tasks too. */
import { describe, expect, it } from 'vitest';
import { configured, lastAccount, put, repository } from './configured.ts';
import { toAgent, toPerson } from './stage.ts';

const GUARD = `{ hooks: [{ name: 'no-secret', hook: ({ filesModified }) => filesModified.includes('SECRET')
  ? { action: 'escalate', reason: 'a secret was written' } : { action: 'complete', reason: 'clean' } }] }`;
const PICKY = `{ hooks: [{ name: 'picky', hook: ({ filesModified }) => filesModified.includes('tests.txt')
  ? { action: 'complete', reason: 'tested' } : { action: 'continue', reason: 'no tests', nextPrompt: 'Write tests.txt.' } }] }`;
const DONE = '<issue-complete>DONE</issue-complete>';

describe('stop hooks of a loop', () => {
  it.each([
    ['an item', 'Work on it. --items todo.txt', null],
    ['an inner task', 'Work on it.', 'First this. --as issue --nest'],
  ])('veto in %s', async (_, outer, inner) => {
    const stage = repository(configured(GUARD));
    put(stage, 'todo.txt', 'alpha\nbeta\n');
    await stage.start(outer);
    if (inner !== null) await stage.command('start', inner, { from: { prompt: 'p1' } });
    put(stage, 'SECRET', 'x');
    const end = await stage.stop(`One. ${DONE}`);
    expect(toPerson(end)).toContain('needs you: stop hook no-secret says escalate: a secret was written');
    expect(stage.status()).toBe('escalated');
  });

  it('have to agree before an item is done, and their words reach the agent', async () => {
    const stage = repository(configured(PICKY));
    put(stage, 'todo.txt', 'alpha\nbeta\n');
    await stage.start('Work on it. --items todo.txt');
    put(stage, 'a.txt', 'x');
    const again = await stage.stop(`One. ${DONE}`);
    expect(toAgent(again)).toContain('Write tests.txt.');
    expect(stage.loop().around).toHaveLength(1);
    put(stage, 'tests.txt', 'x');
    expect(toAgent(await stage.stop(`Two. ${DONE}`))).toMatch(/alpha\) is done after 2 iterations/);
    expect(lastAccount(stage)).toEqual(['picky answered']);
  });
});

// @module-tag postgres
/** Files that a pass plants for its host stop the loop on its worker. A person agrees from another machine. */
import { expect, test } from 'vitest';
import { hasEnded, openStage } from '../stage.ts';

const HOOKS = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}';
const PLANTS = `mkdir -p .claude; test -e .claude/settings.json && echo x > x.txt; echo '${HOOKS}' > .claude/settings.json`;

test(
  'nobody runs what a pass has planted, until a person agrees with dacapo fleet trust',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const id = await stage.submit(`Add.\ndo: ${PLANTS}`, '--check', 'test -e x.txt');
    await stage.worker('one');
    const stopped = await stage.until(id, hasEnded);
    expect(stopped).toMatchObject({ status: 'escalated', iteration: 1 });
    expect(stopped.reason).toContain('.claude/settings.json');
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(1);

    // A word to go on is no agreement.
    await stage.fleet('resume', id);
    const again = await stage.until(id, hasEnded);
    expect(again.reason).toContain('.claude/settings.json');
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(1);

    expect(await stage.fleet('trust', id)).toMatchObject({ id });
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 2 });
    expect(stage.passes().filter(({ is }) => is === 'begins')).toHaveLength(2);
    const refused = await stage.run('fleet', 'trust', id);
    expect(refused.code).not.toBe(0);
  },
);

// @module-tag postgres
/**
 * An agent may write the settings of git in its tree. No program that they name runs when a worker uses the
 * network.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded, openStage } from '../stage.ts';

/** Each of them makes git run `program` on its way to the repository. */
const TRAPS = (program: string, repo: string): readonly (readonly [key: string, value: string])[] => [
  ['core.sshCommand', program],
  [`url.ssh://nobody@127.0.0.1${repo}.insteadOf`, repo],
  [`url.ssh://nobody@127.0.0.1${repo}.pushInsteadOf`, repo],
  [`remote.${repo}.receivepack`, program],
  [`remote.${repo}.uploadpack`, program],
  ['credential.helper', `!${program}`],
  ['core.askPass', program],
  ['core.gitProxy', program],
  ['core.alternateRefsCommand', program],
  ['filter.evil.smudge', program],
  ['filter.evil.clean', program],
];

test(
  'the settings that an agent writes into its tree run nothing when its work is pushed and fetched',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const [program, canary, told] = ['program', 'canary', 'told'].map((name) => join(stage.root, name));
    writeFileSync(program ?? '', `#!/bin/sh\nenv > ${canary}\nexit 1\n`, { mode: 0o755 });
    const hook = `#!/bin/sh\nenv | cut -d= -f1 >> ${told}\n`;
    writeFileSync(join(stage.repo, 'hooks/pre-receive'), hook, { mode: 0o755 });
    const traps = TRAPS(program ?? '', stage.repo);
    const arm = traps.map(([key, value]) => `git config '${key}' '${value}'`).join('; ');
    const work = `Add.\ndo: echo x >> x.txt; echo '*.evil filter=evil' > .git/info/attributes; echo y > y.evil; ${arm}`;
    const check = ['--check', 'test $(wc -l < x.txt) -ge 3', '--approve-done'];
    const id = await stage.submit(work, ...check, '--pause', '0s', '--commit');
    const keys = { ANTHROPIC_API_KEY: 'sk-ant-nobody', PGPASSWORD: 'nobody' };
    await stage.worker('w1', [], keys);
    // It is parked, and comes back to the same tree: its point is fetched there.
    const { requests } = await stage.until(id, ({ waits }) => waits?.for === 'approval');
    expect(existsSync(canary ?? '')).toBe(false);
    await stage.fleet('answer', requests[0]?.id ?? '', '--reject');
    const again = await stage.until(id, ({ requests: [next] }) => next?.id.endsWith('-2') === true);
    await stage.fleet('answer', again.requests[0]?.id ?? '', '--approve');
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed' });
    expect(existsSync(canary ?? '')).toBe(false);
    stage.git('fetch', '-q', stage.repo, `dacapo/${id}`);
    expect(stage.git('show', 'FETCH_HEAD:x.txt')).toBe('x\nx\nx\nx');
    const names = readFileSync(told ?? '', 'utf8').split('\n');
    expect(names).toContain('PATH');
    for (const name of ['DACAPO_FLEET', 'ANTHROPIC_API_KEY', 'PGPASSWORD']) expect(names).not.toContain(name);
  },
);

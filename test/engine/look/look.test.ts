/** Status, explain and trust as values. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { explain, explanationReport } from '#engine/look/explain.ts';
import { openIndex } from '#engine/look/loop-index.ts';
import { readStatusNow, type HostLook, statusJson } from '#engine/look/status.ts';
import { trust, untrust } from '#engine/trust/trust.ts';
import { keepProgress } from '#evidence/proofs/proving.ts';
import { claim } from '../../law/given.ts';
import { put } from '../hearing/configured.ts';
import { DONE, Stage } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const HOST: HostLook = { silencedBy: () => [], recordedAt: () => null, goalOf: () => null };

/** The host's own list of its sessions says whether anything runs in this one. */
function listSession(status: 'idle' | 'busy', session: string): void {
  const folder = join(stage.project, '..', 'config', 'sessions');
  stage.env = { CLAUDE_CONFIG_DIR: join(folder, '..') };
  mkdirSync(folder, { recursive: true });
  const row = { pid: process.pid, sessionId: session, status };
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(row));
}

describe('status', () => {
  it('tells what the loop is about, and whether anything runs in its session', async () => {
    const loop = await stage.start('Fix the bug.');
    const session = loop.session.owner?.session ?? '';
    const cardStatus = () => openIndex(null, stage.runtime()).look().cards[0]?.status;
    listSession('idle', session);
    const idle = readStatusNow(loop, HOST, stage.runtime());
    expect(idle).toMatchObject({ subject: 'Fix the bug.', isIdle: true, proving: null });
    expect(statusJson(idle)).toMatchObject({
      idle: true,
      status: 'interrupted',
      reason: expect.stringContaining('as after Esc'),
    });
    // As the page and `dacapo watch` show it.
    expect(cardStatus()).toBe('interrupted');
    listSession('busy', session);
    const busy = statusJson(readStatusNow(loop, HOST, stage.runtime()));
    expect(busy).toMatchObject({ status: 'running' });
    expect(busy).not.toHaveProperty('idle');
    expect(cardStatus()).toBe('running');
    listSession('idle', session);
    await stage.stop(DONE);
    expect(readStatusNow(stage.loop(), HOST, stage.runtime()).isIdle).toBe(false);
  });

  it('tells what is being proven only while the process that proves it lives', async () => {
    await stage.start('Fix.');
    stage.append(claim(1, { process: 7, at: stage.now() }));
    keepProgress(stage.blobs(), { at: stage.now(), what: ['npm test'] });
    const standing = readStatusNow(stage.loop(), HOST, stage.runtime());
    expect(standing.proving).toMatchObject({ what: ['npm test'] });
    expect(statusJson(standing)).toMatchObject({ proving: ['npm test'] });
    stage.dead.add(7);
    expect(readStatusNow(stage.loop(), HOST, stage.runtime()).proving).toBeNull();
  });
});

describe('explain', () => {
  it('before the first stop has nothing but what would end the loop', async () => {
    const { id } = await stage.start('Fix.');
    const explanation = explain(id, stage.runtime());
    expect(explanation).toMatchObject({ judged: null, missing: [] });
    expect(explanation?.endsWhen.at(-1)).toBe(`cancelled: dacapo cancel ${id}`);
  });

  it('names the rule of the last verdict and what was missing; an ended loop ends no more', async () => {
    const { id } = await stage.start('Fix. --completion-promise OK');
    await stage.stop();
    const going = explain(id, stage.runtime());
    expect(going).toMatchObject({ judged: { stop: { n: 1 }, voidBy: null, iteration: 1 } });
    expect(going?.missing).toMatchObject([{ gate: 'promise' }]);
    await stage.command('cancel');
    const ended = explain(id, stage.runtime());
    if (ended === null) throw new Error('no loop');
    expect(ended.endsWhen).toEqual([]);
    expect(explanationReport(ended, stage.now())).toMatchObject({
      loop: { id, status: 'cancelled' },
      void: false,
      ends_when: [],
    });
  });

  it('of a loop that is not there there is nothing to explain', () => {
    expect(explain('RALPH_20260101_abcdef', stage.runtime())).toBeNull();
  });
});

describe('trust', () => {
  const order = () => ({ project: stage.project, config: null });

  it('pins a config that can be loaded, and takes it back', async () => {
    put(stage, 'dacapo.config.json', '{"checks": {"test": "true"}}');
    expect(await trust(order(), stage.runtime())).toMatchObject({
      ok: true,
      file: 'dacapo.config.json',
      found: { checks: [{ name: 'test', command: 'true' }] },
    });
    expect(untrust(order(), stage.runtime())).toMatchObject({ ok: true, was: true });
    expect(untrust(order(), stage.runtime())).toMatchObject({ ok: true, was: false });
  });

  it('refuses where there is none, and where it can’t be loaded', async () => {
    expect(await trust(order(), stage.runtime())).toMatchObject({ ok: false, code: 'no-config' });
    put(stage, 'dacapo.config.json', '{');
    expect(await trust(order(), stage.runtime())).toMatchObject({ ok: false });
  });

  it('is for people', async () => {
    const runtime = stage.runtime({ env: { AI_AGENT: '1' } });
    expect(await trust(order(), runtime)).toMatchObject({ ok: false, code: 'people-only' });
    expect(untrust(order(), runtime)).toMatchObject({ ok: false, code: 'people-only' });
  });
});

/**
 * Nothing above the store knows that a loop is a folder: the same hearings, with a store that has no file.
 */
import { describe, expect, it } from 'vitest';
import { readEvidence } from '#store/evidence.ts';
import { memoryStore } from '#store/memory/store.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { DONE, Stage, toAgent, toPerson } from './stage.ts';

function stageInMemory(): Stage {
  return new Stage(memoryStore(null, temporaryFolder));
}

describe('a loop in memory', () => {
  it('starts, continues, and completes when its check passes', async () => {
    const stage = stageInMemory();
    await stage.start('Fix it. --check "test -f done.txt" --completion-promise COMPLETE');
    expect(toAgent(await stage.stop('Working.'))).toContain('Fix it.');
    const failed = await stage.stop(DONE, { from: { prompt: 'p2' } });
    expect(failed.is).toBe('continue');
    stage.write('', { file: 'done.txt' });
    expect(toPerson(await stage.stop(DONE, { from: { prompt: 'p3' } }))).toContain('completed');
    expect(stage.status()).toBe('completed');
    expect(stage.store.sessions.all()).toEqual([]);
  });

  it('keeps what a person wrote as evidence, and goes on with an edited prompt', async () => {
    const stage = stageInMemory();
    await stage.start('Fix it.');
    const edited = stage.edit((content) => content.replace('Fix it.', 'Fix it well.'));
    expect(toAgent(await stage.stop('Working.'))).toContain('Fix it well.');
    const open = stage.store.open(stage.loop().id);
    expect(open && readEvidence(open.blobs, 'edited-ralph-loop.local.md')).toBe(edited);
  });

  it('is paused, resumed and cancelled', async () => {
    const stage = stageInMemory();
    await stage.start('Fix it.');
    await stage.prompt('Something else.', { prompt: 'q1' });
    expect(stage.status()).toBe('paused');
    await stage.command('resume', '', { from: { prompt: 'p2' } });
    expect(stage.status()).toBe('running');
    await stage.command('cancel', '', { from: { prompt: 'p3' } });
    expect(stage.status()).toBe('cancelled');
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold } from '#law/fold/index.ts';
import { notesFor, notesPath } from '#engine/driver/work.ts';
import { created } from '../../law/given.ts';
import { temporaryFolder } from '../../store/folder.ts';

const MAKE_PIPE = 'mkfifo';

function project() {
  const given = fold(null, { ...created(), project: temporaryFolder() });
  if (given === null) throw new Error('no loop');
  mkdirSync(dirname(notesPath(given)), { recursive: true });
  return given;
}

describe('the notes of the agents before', () => {
  it('are shown by their end, however much was poured in', () => {
    const given = project();
    writeFileSync(notesPath(given), `${'é a line\n'.repeat(1_000_000)}The last word.\n`);
    const said = notesFor(given);
    expect(said).toContain('The last word.');
    expect(said.length).toBeLessThan(5_000);
    expect(said).not.toContain('\uFFFD');
  });

  it.runIf(process.platform !== 'win32')('are none where a pipe lies under their name', () => {
    const given = project();
    execFileSync(MAKE_PIPE, [notesPath(given)]);
    expect(notesFor(given)).toMatch(/^What the next agent should know/);
  });
});

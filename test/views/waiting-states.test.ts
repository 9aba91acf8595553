import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitingStates } from '../../src/views/waiting-states.ts';
import { running } from '../core/given.ts';

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-waiting-')));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function put(file: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), 'x');
}

const FOLDER = '.claude/data/ralph-loops/current';

describe('loops of other tools that wait in a project', () => {
  it('are named with the command that takes them', () => {
    for (const file of [
      `${FOLDER}/RALPH_PROMPT.md`,
      `${FOLDER}/feature_list.json`,
      'AI_Employee_Vault/Ralph_State/RALPH_20260101_abcdef.json',
      'AI_Employee_Vault/Ralph_State/notes.txt',
      '.claude/idle-loop.local.md',
    ])
      put(file);
    expect(waitingStates(project, {}, []).map(({ command }) => command.join(' '))).toEqual([
      `ready ${FOLDER}`,
      'adopt AI_Employee_Vault/Ralph_State/RALPH_20260101_abcdef.json',
      'adopt .claude/idle-loop.local.md',
    ]);
  });

  it('do not wait where a loop of ours shows itself there', () => {
    put('.claude/idle-loop.local.md');
    const loop = { ...running(), views: [{ kind: 'stack' as const, file: '.claude/idle-loop.local.md' }] };
    expect(waitingStates(project, {}, [loop])).toEqual([]);
  });

  it('are none in a half-written folder, and lie where RALPH_LOOP_DIR says', () => {
    put('ralph/RALPH_PROMPT.md');
    expect(waitingStates(project, { RALPH_LOOP_DIR: 'ralph' }, [])).toEqual([]);
    put('ralph/feature_list.json');
    expect(waitingStates(project, { RALPH_LOOP_DIR: 'ralph' }, [])).toEqual([
      { file: 'ralph', command: ['ready', 'ralph'] },
    ]);
    expect(waitingStates(project, {}, [])).toEqual([]);
  });
});

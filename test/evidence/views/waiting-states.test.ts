import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitingStates } from '#evidence/views/waiting-states.ts';
import { findJwz } from '#evidence/views/stack/jwz.ts';
import { running } from '../../law/given.ts';
import { putJwz } from './jwz.ts';

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-waiting-')));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function put(file: string, content = 'x'): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), content);
}

function waiting(
  env: Record<string, string> = {},
  known: Parameters<typeof waitingStates>[2] = [],
): string[] {
  const world = { env, now: () => '2026-01-01T10:00:00Z' };
  return waitingStates(project, world, known).map(({ command }) => command);
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
      '.claude/data/ralph-loops/my-feature/RALPH_PROMPT.md',
      '.claude/data/ralph-loops/my-feature/feature_list.json',
      '.sisyphus/ralph-loop.local.md',
      '.ralph/ralph-loop.state.json',
      '.omc/state/ralph-state.json',
    ])
      put(file);
    expect(waiting()).toEqual([
      `dacapo ready ${FOLDER}`,
      'dacapo ready .claude/data/ralph-loops/my-feature',
      'dacapo adopt AI_Employee_Vault/Ralph_State/RALPH_20260101_abcdef.json',
      'dacapo adopt .claude/idle-loop.local.md',
      'dacapo adopt .sisyphus/ralph-loop.local.md',
      'dacapo adopt .ralph/ralph-loop.state.json',
      'dacapo adopt .omc/state/ralph-state.json',
    ]);
  });

  it('do not wait where a loop of ours shows itself there', () => {
    put('.claude/idle-loop.local.md');
    const begun = running();
    const loop = {
      ...begun,
      files: { ...begun.files, views: [{ kind: 'stack' as const, file: '.claude/idle-loop.local.md' }] },
    };
    expect(waiting({}, [loop])).toEqual([]);
  });

  it('are none in a half-written folder, and lie where RALPH_LOOP_DIR says', () => {
    put('ralph/RALPH_PROMPT.md');
    expect(waiting({ RALPH_LOOP_DIR: 'ralph' })).toEqual([]);
    put('ralph/feature_list.json');
    expect(waiting({ RALPH_LOOP_DIR: 'ralph' })).toEqual(['dacapo ready ralph']);
    expect(waiting()).toEqual([]);
  });

  it('a state file that a person wrote waits, those of a loop and of the official plugin do not', () => {
    const write = (fields: string) => {
      put('.claude/ralph-loop.local.md', `---\n${fields}\n---\nFix.\n`);
      return waiting();
    };
    expect(write('max_iterations: 5')).toEqual(['dacapo adopt']);
    expect(write('loop_id: RALPH_20260101_abcdef')).toEqual([]);
    expect(write('active: true')).toEqual([]);
  });

  it('a live state in the topic of jwz waits', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dacapo-jwz-'));
    const env = { PATH: putJwz(folder) };
    const post = (message: string) => findJwz(env, project)?.post(message);
    const state = (updated: string) =>
      JSON.stringify({
        schema: 1,
        event: 'STATE',
        run_id: 'loop-1',
        updated_at: updated,
        stack: [{ id: 'loop-1', mode: 'loop', iter: 1, max: 10, prompt_file: 'p.txt' }],
      });
    post(state('2026-01-01T09:59:00Z'));
    expect(waiting(env)).toEqual(['dacapo adopt loop:current']);
    expect(waiting(env, [{ ...running(), id: 'loop-1' }])).toEqual([]);
    post(state('2026-01-01T05:00:00Z'));
    expect(waiting(env)).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });
});

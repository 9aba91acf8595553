// @module-tag slow
// What git, editors and people do to the view while a loop runs: each ends as the design says, and nothing of a person's is lost.
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  VIEW,
  allows,
  continues,
  eventsOf,
  makeProgram,
  pause,
  said,
  until,
  type Program,
} from './program.ts';

const PROMPT = 'Build what the specification asks for.';
/** A changed view is believed when it is older than a second. */
const STILL = 1_200;

const opened: Program[] = [];
afterEach(() => {
  for (const hook of opened.splice(0)) hook.close();
});

async function live(flags = '--max-iterations 50'): Promise<Program> {
  const hook = makeProgram({ git: true });
  opened.push(hook);
  writeFileSync(join(hook.project, 'README.md'), 'A project.\n');
  hook.git('add', 'README.md');
  hook.git('commit', '-q', '-m', 'Add a readme');
  await hook.start(`${PROMPT} ${flags}`);
  return hook;
}

const viewPath = (hook: Program) => join(hook.project, VIEW);
const inEvidence = (hook: Program, name: string) =>
  readFileSync(join(hook.loopDir(), 'evidence', name), 'utf8');

describe('git', () => {
  test('a start leaves the work tree clean, and the view is never committed', async () => {
    const hook = await live();
    await hook.stop();
    expect(hook.git('status', '--porcelain')).toBe('');
    hook.git('add', '-A');
    expect(hook.git('diff', '--cached', '--name-only')).toBe('');
  });

  test('`git stash -a` and `git stash pop` between two stops change nothing', async () => {
    const hook = await live();
    await hook.stop('One.');
    writeFileSync(join(hook.project, 'new.txt'), 'new\n');
    hook.git('stash', '-a', '-q');
    expect(hook.hasView()).toBe(false);
    hook.git('stash', 'pop', '-q');
    expect(continues(await hook.stop('Two.'))).toBe(true);
    expect(hook.passes()).toBe(2);
    expect(eventsOf(hook.events(), 'amended')).toEqual([]);
    expect(hook.viewIsWhole()).toBe(true);
  });

  test('`git stash -a` before a stop cancels, as a deletion does; what pops up later revives nothing', async () => {
    const hook = await live();
    await hook.stop('One.');
    const stashed = hook.view();
    hook.git('stash', '-a', '-q');
    const answer = await hook.stop('Two.');
    expect(allows(answer)).toBe(true);
    expect(answer?.systemMessage).toMatch(/cancelled after 1 iteration/);
    expect(hook.loop().status).toMatchObject({ is: 'cancelled', by: 'view' });
    hook.git('stash', 'pop', '-q');
    expect(await hook.stop('Three.')).toBeNull();
    expect(hook.view()).toBe(stashed);
    expect(readdirSync(join(hook.home, 'loops'))).toHaveLength(1);
    // The record and the prompt are where no git command reaches.
    expect(hook.passes()).toBe(1);
    expect(promptsOf(hook)).toEqual([PROMPT]);
  });

  test('an edit that a stash took away comes back as it was', async () => {
    const hook = await live();
    const edited = hook.view().replace(PROMPT, 'Build something better.');
    writeFileSync(viewPath(hook), edited);
    hook.git('stash', '-a', '-q');
    expect(allows(await hook.stop())).toBe(true);
    hook.git('stash', 'pop', '-q');
    await hook.stop('Again.');
    expect(hook.view()).toBe(edited);
  });

  test('`git clean -fdx` cancels, and loses nothing of the record; a new loop can start', async () => {
    const hook = await live();
    await hook.stop('One.');
    hook.git('clean', '-fdxq');
    const answer = await hook.stop('Two.');
    expect(answer?.systemMessage).toMatch(/cancelled after 1 iteration/);
    expect(hook.hasView()).toBe(false);
    expect(promptsOf(hook)).toEqual([PROMPT]);
    expect(eventsOf(hook.events(), 'verdict')).toHaveLength(1);
    await hook.start('Another task', { prompt_id: 'prompt-2' });
    expect(readdirSync(join(hook.home, 'loops'))).toHaveLength(2);
    expect(hook.hasView()).toBe(true);
  });

  test('an old rendering that git brings back is nobody’s edit', async () => {
    const hook = await live();
    await hook.stop('One.');
    hook.git('add', '-f', VIEW);
    hook.git('commit', '-q', '-m', 'By mistake');
    for (const words of ['Two.', 'Three.']) await hook.stop(words);
    hook.git('checkout', '-q', '--', VIEW);
    expect(hook.view()).toContain('iteration: 2\n');
    await pause(STILL);
    expect(continues(await hook.stop('Four.'))).toBe(true);
    expect(hook.passes()).toBe(4);
    expect(eventsOf(hook.events(), 'amended')).toEqual([]);
    expect(hook.view()).toContain('iteration: 5\n');
  });

  test('a worktree has its own view, hidden from git there too', async () => {
    const hook = await live();
    const tree = join(hook.root, 'tree');
    hook.git('worktree', 'add', '-q', tree);
    const there = { session_id: 'session-tree', cwd: tree, prompt_id: 'tree-1' };
    const env = { CLAUDE_PROJECT_DIR: tree, CLAUDE_CODE_SESSION_ID: 'session-tree' };
    expect(continues(said(await hook.run(hook.command('ralph', 'Task of the tree', there), env, tree)))).toBe(
      true,
    );
    expect(existsSync(join(tree, VIEW))).toBe(true);
    expect(hook.git('-C', tree, 'status', '--porcelain')).toBe('');
    expect(continues(said(await hook.run(hook.stopped('One.', there), env, tree)))).toBe(true);
    // Each session has its own loop, and neither touches the other's.
    expect(continues(await hook.stop('One.'))).toBe(true);
    expect(hook.view()).toContain(PROMPT);
    expect(readFileSync(join(tree, VIEW), 'utf8')).toContain('Task of the tree');
    hook.git('worktree', 'remove', '--force', tree);
    expect(allows(said(await hook.run(hook.stopped('Two.', there), env)))).toBe(true);
    expect(continues(await hook.stop('Two.'))).toBe(true);
  });

  test('a clone owns nothing, even if the view was committed', async () => {
    const hook = await live();
    await hook.stop('One.');
    hook.git('add', '-f', VIEW);
    hook.git('commit', '-q', '-m', 'By mistake');
    const clone = join(hook.root, 'clone');
    hook.git('clone', '-q', hook.project, clone);
    const cloned = readFileSync(join(clone, VIEW), 'utf8');
    const env = { CLAUDE_PROJECT_DIR: clone, CLAUDE_CODE_SESSION_ID: 'session-clone' };
    for (const words of ['Hello.', 'Done. <promise>COMPLETE</promise>']) {
      const stop = hook.stopped(words, { session_id: 'session-clone', cwd: clone, prompt_id: 'clone-1' });
      expect(said(await hook.run(stop, env, clone))).toBeNull();
    }
    expect(readFileSync(join(clone, VIEW), 'utf8')).toBe(cloned);
    expect(readdirSync(join(hook.home, 'loops'))).toHaveLength(1);
    expect(hook.passes()).toBe(1);
    expect(continues(await hook.stop('Two.'))).toBe(true);
  });
});

describe('an editor', () => {
  test('that saves in place: half a file is not believed, and not replaced; the whole one is taken over', async () => {
    const hook = await live();
    await hook.stop('One.');
    const edited = hook
      .view()
      .replace(PROMPT, 'Build something better.')
      .replace('max_iterations: 50', 'max_iterations: 7');
    const [head, tail] = [edited.slice(0, 150), edited.slice(150)];
    const file = openSync(viewPath(hook), 'w');
    expect(continues(await hook.stop('Two.'))).toBe(true);
    expect(hook.view()).toBe('');
    writeSync(file, head);
    expect(continues(await hook.stop('Three.'))).toBe(true);
    expect(hook.view()).toBe(head);
    writeSync(file, tail);
    closeSync(file);
    expect(continues(await hook.stop('Four.'))).toBe(true);
    expect(hook.view()).toBe(edited);
    expect(eventsOf(hook.events(), 'amended')).toEqual([]);

    await pause(STILL);
    const answer = await hook.stop('Five.');
    expect(answer?.systemMessage).toContain('iteration 6 of 7');
    expect(answer?.hookSpecificOutput?.additionalContext).toContain('Build something better.');
    expect(eventsOf(hook.events(), 'amended')).toMatchObject([{ by: 'view', iterations: 7 }]);
    expect(hook.passes()).toBe(5);
    expect(hook.viewIsWhole()).toBe(true);
    expect(inEvidence(hook, 'edited-ralph-loop.local.md')).toBe(edited);
    expect(promptsOf(hook)).toEqual([PROMPT, 'Build something better.'].toSorted());
  });

  test('that saves by a rename, an old time included', async () => {
    const hook = await live();
    const edited = hook.view().replace(PROMPT, 'Build it with care.');
    rmSync(viewPath(hook));
    writeFileSync(viewPath(hook), edited);
    const before = new Date(Date.now() - 60_000);
    utimesSync(viewPath(hook), before, before);
    const answer = await hook.stop();
    expect(answer?.hookSpecificOutput?.additionalContext).toContain('Build it with care.');
    expect(hook.view()).toContain('Build it with care.');
  });

  test('that saves during a hearing: the edit stays, and counts at the next stop', async () => {
    const hook = await live('--completion-promise COMPLETE --check "sleep 1.5; false"');
    const running = hook.begin(hook.stopped('Done. <promise>COMPLETE</promise>'));
    await until('the check runs', () => hook.evidence().length === 1);
    const edited = hook.view().replace(PROMPT, 'Build it anew.');
    await pause(1_000);
    writeFileSync(viewPath(hook), edited);
    expect(continues(said(await running.ended))).toBe(true);
    expect(hook.view()).toBe(edited);
    await pause(STILL);
    const answer = await hook.stop('Next.');
    expect(answer?.hookSpecificOutput?.additionalContext).toContain('Build it anew.');
    expect(hook.viewIsWhole()).toBe(true);
  });

  test('that leaves garbage, or empties the file: aborted, allowed, and a copy is kept', async () => {
    for (const garbage of ['', 'iteration: 3\n', '---\niteration: three\n---\nx']) {
      const hook = await live();
      const named = garbage.replace('---\n', `---\nloop_id: ${hook.loop().id}\n`);
      writeFileSync(viewPath(hook), named);
      await pause(STILL);
      const answer = await hook.stop();
      expect(allows(answer)).toBe(true);
      expect(answer?.systemMessage).toMatch(/aborted after 0 iterations/);
      expect(inEvidence(hook, 'rejected-ralph-loop.local.md')).toBe(named);
      expect(await hook.stop('Next.')).toBeNull();
    }
  });
});

describe('a deletion during a hearing', () => {
  test('cancels: the verdict that came too late continues nothing, and no view is made again', async () => {
    const hook = await live('--completion-promise COMPLETE --check "sleep 1; false"');
    const running = hook.begin(hook.stopped('Done. <promise>COMPLETE</promise>'));
    await until('the check runs', () => hook.evidence().length === 1);
    rmSync(viewPath(hook));
    const answer = said(await running.ended);
    expect(allows(answer)).toBe(true);
    expect(answer?.systemMessage).toMatch(/cancelled after 1 iteration/);
    expect(hook.hasView()).toBe(false);
    expect(hook.loop().status).toMatchObject({ is: 'cancelled', by: 'view' });
    expect(await hook.stop('Next.')).toBeNull();
    expect(hook.evidence()).toEqual(['stop-1-check.txt']);
  });

  test('of a proof that holds: the work is done', async () => {
    const hook = await live('--completion-promise COMPLETE --check "sleep 1"');
    const running = hook.begin(hook.stopped('Done. <promise>COMPLETE</promise>'));
    await until('the check runs', () => hook.evidence().length === 1);
    rmSync(viewPath(hook));
    expect(said(await running.ended)?.systemMessage).toMatch(/completed/);
    expect(hook.loop().status.is).toBe('completed');
    expect(hook.hasView()).toBe(false);
  });

  test('a cancel from elsewhere that comes first voids the verdict', async () => {
    const hook = await live('--completion-promise COMPLETE --check "sleep 1"');
    const running = hook.begin(hook.stopped('Done. <promise>COMPLETE</promise>'));
    await until('the check runs', () => hook.evidence().length === 1);
    await hook.run(hook.command('cancel-ralph', '', { prompt_id: 'c' }));
    // Its person has read so already.
    expect(said(await running.ended)).toBeNull();
    expect(hook.loop().status).toMatchObject({ is: 'cancelled', by: 'session' });
    expect(hook.passes()).toBe(0);
  });
});

function promptsOf(hook: Program): string[] {
  const dir = join(hook.loopDir(), 'prompts');
  return readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .toSorted();
}

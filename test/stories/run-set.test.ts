// @module-tag slow
/** `dacapo run --items FILE --loops N` with a stand-in for the host, in real repositories and work trees. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openShell, type Shell } from '../surfaces/cli/shell.ts';

const shells: Shell[] = [];
afterEach(() => shells.splice(0).forEach((shell) => shell.close()));

interface Place extends Shell {
  readonly git: (...args: string[]) => string;
  /** How often the agent of this item was started. */
  readonly passes: (item: string) => number;
}

/**
 * A repository with a list of items. `does`: a line of shell for each pass, which finds the item in `$item`;
 * `$mends` is set in a loop that mends a merge.
 */
function place(items: readonly string[], does: string): Place {
  const shell = openShell();
  shells.push(shell);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: shell.project, env: shell.env, encoding: 'utf8' });
  git('config', '--global', 'user.name', 't');
  git('config', '--global', 'user.email', 't@example.org');
  git('init', '-q', '-b', 'main');
  shell.write('shared.txt', 'begin\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  shell.write('todo.md', items.map((item) => `- [ ] ${item}\n`).join(''));
  const log = join(shell.root, 'passes');
  writeFileSync(
    join(shell.root, 'does.sh'),
    `brief=$(cat)
item=$(printf '%s\\n' "$brief" | grep -xE '${items.join('|')}' | head -n 1)
mends=$(printf '%s' "$brief" | grep -o "can't be merged")
echo "$item $mends" >> '${log}'
${does}
`,
  );
  const passes = (item: string) =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line.split(' ')[0] === item).length
      : 0;
  Object.assign(shell.env, {
    CLAUDE_DOES: `sh '${join(shell.root, 'does.sh')}'`,
    CLAUDE_SAYS: '<issue-complete>DONE</issue-complete>',
  });
  return Object.assign(shell, { git, passes });
}

const RUN = "dacapo run 'Do it.' --items todo.md --pause 0";

interface Ended {
  readonly is: 'set';
  readonly merged: number;
  readonly costUsd: number;
  readonly exit: number;
  readonly items: readonly {
    title: string;
    merged: boolean;
    why: string | null;
    next: string | null;
    branch: string;
  }[];
}

function eventsIn(output: string): { is: string; loop?: string }[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): { is: string; loop?: string } => JSON.parse(line));
}

function endIn(output: string): Ended {
  const end = eventsIn(output).find((event): event is Ended => event.is === 'set');
  if (end === undefined) throw new Error(`no end in ${output}`);
  return end;
}

const CONFLICT =
  'if [ -n "$mends" ]; then printf "begin\\nall\\n" > shared.txt; else echo "$item" >> shared.txt; echo x > "$item.txt"; fi';

test('an item that changes nothing is done, and not called merged', async () => {
  const at = place(['alpha', 'beta'], 'test "$item" = beta || echo x > "$item.txt"');
  const { output, exit } = await at.type(`${RUN} --loops 1`);
  expect({ output, exit }).toMatchObject({ exit: 0 });
  expect(output).toMatch(/^2 beta .* done, nothing to merge$/m);
  expect(output).toContain('1 of 2 items merged into main; 1 done without a change, cost not known.');
  expect(at.git('log', '--first-parent', '--format=%s')).toBe('Merge item 1 of 2: alpha\nBegin\n');

  const again = endIn((await at.type(`${RUN} --loops 1 --json`)).output);
  expect(again).toMatchObject({
    merged: 1,
    exit: 0,
    items: [{ merged: true }, { merged: false, done: true }],
  });
});

test('each item gets a loop and a branch; what is in conflict is mended by a loop; all are merged', async () => {
  const at = place(['alpha', 'beta', 'gamma'], CONFLICT);
  const { output, exit } = await at.type(`${RUN} --loops 2 --check 'test -f shared.txt'`);
  expect({ output, exit }).toMatchObject({ exit: 0 });
  expect(output).toMatch(
    /\[\d\] can't be merged yet: in conflict with main: shared\.txt\. A loop mends it\./,
  );
  expect(output).toMatch(/^1 alpha +RALPH_\w+ +\d +not known +merged$/m);
  expect(output).toContain('3 of 3 items merged into main, cost not known.');
  expect(at.git('log', '--first-parent', '--format=%s').split('\n').slice(0, 3).toSorted()).toEqual([
    'Merge item 1 of 3: alpha',
    'Merge item 2 of 3: beta',
    'Merge item 3 of 3: gamma',
  ]);
  expect(at.git('log', '--format=%s')).toContain('alpha (iteration 1)');
  expect(at.git('status', '--porcelain')).toBe('?? todo.md\n');
  expect(readFileSync(join(at.project, 'shared.txt'), 'utf8')).toBe('begin\nall\n');
  const listed = JSON.parse((await at.type('dacapo status --json')).output) as { name: string }[];
  expect(new Set(listed.map(({ name }) => name))).toEqual(new Set(['alpha', 'beta', 'gamma']));

  // The same command again does nothing twice.
  const passes = ['alpha', 'beta', 'gamma'].map(at.passes);
  const again = await at.type(`${RUN} --loops 2 --check 'test -f shared.txt'`);
  expect(again).toMatchObject({ exit: 0 });
  expect(['alpha', 'beta', 'gamma'].map(at.passes)).toEqual(passes);

  // An item that is new in the list is done by the same command.
  at.write('todo.md', '- [ ] alpha\n- [ ] beta\n- [ ] gamma\n- [ ] delta\n');
  writeFileSync(join(at.root, 'does.sh'), 'echo d > delta.txt');
  expect((await at.type(`${RUN} --loops 2 --check 'test -f shared.txt'`)).output).toContain(
    '4 of 4 items merged',
  );
});

test('--json: every event names its loop, each item ends with an event, and the set with one', async () => {
  const at = place(['alpha', 'beta'], 'echo x > "$item.txt"');
  const { output, exit } = await at.type(`${RUN} --loops 2 --json 2>/dev/null`);
  expect(exit).toBe(0);
  const events = eventsIn(output);
  expect(events.filter(({ loop }) => loop === undefined).map(({ is }) => is)).toEqual(['set']);
  expect(new Set(events.filter(({ is }) => is === 'ends').map(({ loop }) => loop)).size).toBe(2);
  expect(events.filter(({ is }) => is === 'item')).toHaveLength(2);
  expect(endIn(output)).toMatchObject({ merged: 2, exit: 0, onto: 'main' });
});

test('a merge whose checks fail goes to an agent, then to a person, who can finish it by hand', async () => {
  // Each item alone is fine; both together are not.
  const at = place(['alpha', 'beta'], '[ -z "$mends" ] && echo x > "$item.txt"; echo . >> "$item.log"');
  const check = `--check 'test ! -f alpha.txt || test ! -f beta.txt || test -f both.txt' --max-iterations 2`;
  const { output, exit } = await at.type(`${RUN} --loops 2 --json ${check} 2>/dev/null`);
  expect(exit).toBe(3);
  const left = endIn(output).items.find(({ merged }) => !merged);
  expect(left?.why).toContain("can't be merged: stopped: max iterations reached (2 iterations)");
  expect(at.git('log', '--format=%s', 'main')).not.toContain(`${left?.title} (iteration`);
  const [, tree = '', branch = ''] =
    /fix it in (\S+), commit it, and git merge (\S+)/.exec(left?.next ?? '') ?? [];
  expect(branch).toBe(left?.branch);
  const byHand = `cd ${tree} && touch both.txt && git add -A && git commit -qm Both && cd - && git merge -q ${branch}`;
  expect(await at.type(byHand)).toMatchObject({ exit: 0 });
  expect(endIn((await at.type(`${RUN} --loops 2 --json ${check}`)).output)).toMatchObject({
    merged: 2,
    exit: 0,
  });
});

/** Resolves when it has said these words so many times from now on. */
function untilSaid(child: ReturnType<Shell['start']>, words: string, many = 1): Promise<void> {
  return new Promise((resolve, failed) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.split(words).length > many) resolve();
    });
    child.on('close', () => failed(new Error(`it ended: ${output}`)));
  });
}

const SLOW = 'if [ -f "$HOST_DIR/fast" ]; then echo x > "$item.txt"; else sleep 60; fi';

test('kill -9 in the middle loses nothing: the same command goes on with the same loops', async () => {
  const at = place(['alpha', 'beta', 'gamma'], SLOW);
  const run = at.start(`exec ${RUN} --loops 2 --json`);
  await untilSaid(run, '"iteration-begins"', 2);
  run.kill('SIGKILL');
  await once(run, 'close');
  writeFileSync(join(at.root, 'fast'), '');
  const { output, exit } = await at.type(`${RUN} --loops 2 --json 2>/dev/null`);
  expect({ output, exit }).toMatchObject({ exit: 0 });
  expect(endIn(output)).toMatchObject({ merged: 3 });
  expect(JSON.parse((await at.type('dacapo list --json')).output)).toHaveLength(3);
});

test('Ctrl-C twice ends all loops, says how to go on, and the same command goes on', async () => {
  const at = place(['alpha', 'beta', 'gamma'], SLOW);
  const run = at.start(`exec ${RUN} --loops 2 --json`);
  await untilSaid(run, '"iteration-begins"', 2);
  const second = await at.type(`${RUN} --loops 2`);
  expect(second).toMatchObject({ exit: 1 });
  expect(second.output).toContain('another dacapo run works on this list');
  const heard = untilSaid(run, 'stopping after the iterations under way');
  run.kill('SIGINT');
  await heard;
  run.kill('SIGINT');
  expect(await once(run, 'close')).toEqual([7, null]);
  const statuses = JSON.parse((await at.type('dacapo list --json')).output) as { status: string }[];
  expect(statuses.map(({ status }) => status)).toEqual(['interrupted', 'interrupted']);
  writeFileSync(join(at.root, 'fast'), '');
  expect(await at.type(`${RUN} --loops 2`)).toMatchObject({ exit: 0 });
});

test('--max-cost holds for all loops together; with more, the same command goes on', async () => {
  const at = place(['alpha', 'beta'], 'echo x > "$item.txt"');
  Object.assign(at.env, { CLAUDE_COSTS: '1' });
  const poor = await at.type(`${RUN} --loops 1 --json --max-cost 1 2>/dev/null`);
  expect(poor.exit).toBe(3);
  expect(endIn(poor.output)).toMatchObject({ merged: 1, costUsd: 1 });
  expect(endIn(poor.output).items[1]?.why).toBe('nothing is left of --max-cost');
  const rich = await at.type(`${RUN} --loops 1 --json --max-cost 5 2>/dev/null`);
  expect(endIn(rich.output)).toMatchObject({ merged: 2, costUsd: 2, exit: 0 });
});

test('what makes no sense is refused before anything is made', async () => {
  const at = place(['alpha'], 'true');
  const refusals = [
    ["dacapo run 'Do it.' --loops 2", '--loops needs a list: it starts one loop per item.'],
    [`${RUN} --loops 2 --completion-promise DONE`, "can't be given with --loops"],
    [`${RUN} --loops 0`, '--loops'],
    [`${RUN} --loops 2 --dry-run`, '--dry-run shows one loop only.'],
    ['dacapo run --loops 2', '--loops needs a list'],
  ] as const;
  for (const [command, words] of refusals) {
    const { output, exit } = await at.type(command);
    expect({ command, output, exit }).toMatchObject({ exit: 2 });
    expect(output).toContain(words);
    expect(output).toContain('next: ');
  }
  at.write('shared.txt', 'mine\n');
  const dirty = await at.type(`${RUN} --loops 2`);
  expect(dirty).toMatchObject({ exit: 1 });
  expect(dirty.output).toContain('not committed: shared.txt.');
  expect(JSON.parse((await at.type('dacapo list --json')).output)).toEqual([]);
  expect(at.git('branch', '--format=%(refname:short)')).toBe('main\n');
});

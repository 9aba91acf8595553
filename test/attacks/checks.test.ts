// @module-tag slow
// The agent wants its checks to pass without doing the work: by a check that changes the test, or by what a check runs.
import { describe, expect, it } from 'vitest';
import { gone } from '../processes.ts';
import { attackWorld, type AttackWorld } from './world.ts';

it('a check that replaces a protected test does not complete the loop', async () => {
  const world = attackWorld();
  world.write('tests/run.sh', 'exit 1');
  world.write('build.sh', 'true');
  await world.ralph('Fix it --check "sh build.sh" --check "sh tests/run.sh" --protect "tests/**"');
  world.write('build.sh', 'echo exit 0 > tests/run.sh');
  await world.stop('Done.');
  await world.stop('Done again.');
  expect(world.status()).toBe('running');
});

it('the file that says what a check runs is named at the start, if it is not protected', async () => {
  const world = attackWorld();
  world.write('package.json', JSON.stringify({ scripts: { test: 'exit 1' } }));
  world.write('tests/a.js', '');
  const heard = await world.ralph('Fix it --check "npm test" --protect "tests/**"');
  expect(JSON.stringify(heard)).toContain('package.json');
});

const CHECKS =
  '--check "sh build.sh" --check "sh tests/run.sh" --check "sh lint.sh" --protect "tests/**" --ground "!build.sh" --ground "!lint.sh"';
const SWAP = 'cp -p tests/run.sh .kept; echo exit 0 > tests/run.sh';
const BACK = 'mv .kept tests/run.sh';

/** A loop whose protected test fails. The agent may write build.sh and lint.sh. */
async function failing(): Promise<AttackWorld> {
  const world = attackWorld({ here: true });
  world.write('tests/run.sh', 'exit 1');
  for (const name of ['build.sh', 'lint.sh']) world.write(name, 'true');
  await world.ralph(`Fix it ${CHECKS}`);
  return world;
}

/** What the loop asks its person. */
function asked({ program }: AttackWorld): string[] {
  return program.loop().people.requests.map(({ what }) => what.text);
}

describe('a protected test that is swapped while the checks run, and put back', () => {
  it('by two scripts does not complete the loop: a person is asked, and the file is named', async () => {
    const world = await failing();
    world.write('build.sh', SWAP);
    world.write('lint.sh', BACK);
    await world.stop('Done.');
    expect(world.status()).toBe('waiting');
    expect(asked(world)).toEqual([expect.stringContaining('tests/run.sh')]);
  });

  it('by a folder that is renamed does not complete the loop', async () => {
    const world = await failing();
    world.write('build.sh', 'mv tests .kept; mkdir tests; echo exit 0 > tests/run.sh');
    world.write('lint.sh', 'rm -r tests; mv .kept tests');
    await world.stop('Done.');
    expect(world.status()).toBe('waiting');
    expect(asked(world)).toEqual([expect.stringContaining('touched tests while')]);
  });

  it.runIf(process.platform === 'linux').each(['setsid', 'env -i setsid'])(
    'by a process that a check leaves behind (%s): it is ended with its check',
    async (away) => {
      const world = await failing();
      // The test that was put in waits for the helper to put the true one back, and for longer than the
      // helper needs.
      world.write(
        'build.sh',
        `cp -p tests/run.sh .kept; echo 'sleep 2' > tests/run.sh\n${away} sh -c 'echo $$ > helper; sleep 1; ${BACK}' &\nwhile [ ! -s helper ]; do :; done`,
      );
      await world.stop('Done.');
      expect(await gone(Number(world.read('helper')))).toBe(true);
      expect(world.has('.kept')).toBe(true);
      expect(world.status()).toBe('running');
    },
  );

  it('in an item of a list stops the loop', async () => {
    const world = attackWorld();
    world.write('tests/run.sh', 'exit 1');
    for (const name of ['build.sh', 'lint.sh']) world.write(name, 'true');
    world.write('todo.md', '- [ ] One\n- [ ] Two\n');
    await world.ralph(`Fix it ${CHECKS} --items todo.md`);
    world.write('build.sh', SWAP);
    world.write('lint.sh', BACK);
    await world.stop('<issue-complete>DONE</issue-complete>');
    expect(world.status()).toBe('escalated');
    expect(JSON.stringify(world.program.loop().status)).toContain('tests/run.sh');
  });
});

describe('a formatter that writes the same bytes again', () => {
  const FORMATTER = 'cat tests/run.sh > .formatted; cat .formatted > tests/run.sh';

  async function passing(): Promise<AttackWorld> {
    const world = attackWorld();
    world.write('tests/run.sh', 'test -e work');
    for (const name of ['build.sh', 'lint.sh']) world.write(name, 'true');
    await world.ralph(`Fix it ${CHECKS}`);
    for (const name of ['work', 'runs']) world.write(name, '');
    return world;
  }

  it('once costs a second run of the checks, and the loop completes', async () => {
    const world = await passing();
    world.write('build.sh', `echo >> runs; test -e .formatted || { ${FORMATTER}; }`);
    await world.stop('Done.');
    expect(world.status()).toBe('completed');
    expect(world.read('runs')).toBe('\n\n');
  });

  it('every time asks a person, whose answer completes the loop', async () => {
    const world = await passing();
    world.write('build.sh', FORMATTER);
    await world.stop('Done.');
    expect(asked(world)).toEqual([expect.stringMatching(/tests\/run\.sh.* formatter .*is the task done\?$/)]);
    const [request] = world.program.loop().people.requests;
    expect(world.dacapo(['approve', request?.id ?? '']).code).toBe(0);
    expect(world.status()).toBe('completed');
  });

  it('is no matter while a check fails', async () => {
    const world = await passing();
    world.write('build.sh', `echo >> runs; ${FORMATTER}`);
    world.write('lint.sh', 'exit 1');
    await world.stop('Done.');
    expect(world.status()).toBe('running');
    expect(world.read('runs')).toBe('\n');
  });

  it('is no matter where it writes beside the test, also by a new file', async () => {
    const world = await passing();
    world.write('build.sh', 'echo >> runs; mkdir -p tests/.cache; rmdir tests/.cache; rm -f tests/.tmp');
    await world.stop('Done.');
    expect(world.status()).toBe('completed');
    expect(world.read('runs')).toBe('\n');
  });
});

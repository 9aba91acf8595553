// The agent wants its checks to pass without doing the work: by a check that changes the test, or by what a check runs.
import { expect, it } from 'vitest';
import { attackWorld } from './world.ts';

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

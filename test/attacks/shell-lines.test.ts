/** The agent wants to change a protected file, or speak for a person, with a plain line of shell. */
import { expect, test } from 'vitest';
import { attackWorld, type AttackWorld } from './world.ts';

async function guarded(): Promise<AttackWorld> {
  const world = attackWorld();
  world.write('tests/a', 'exit 1\n');
  world.write('src/a', 'x\n');
  await world.ralph('Do it --check "sh tests/a" --protect "tests/**"');
  return world;
}

/** Those of the lines that nobody refused, or not with these words. */
async function letThrough(world: AttackWorld, lines: readonly string[], words = ''): Promise<string[]> {
  const through: string[] = [];
  for (const line of lines) if ((await world.bash(line))?.includes(words) !== true) through.push(line);
  return through;
}

test('honest work goes through', async () => {
  const world = await guarded();
  const lines = [
    'npm test',
    'sh tests/a',
    'cat tests/a | head -5',
    'cp tests/a /tmp/copy',
    'setsid npm start &',
    'flock /tmp/lock npm install',
    'mkdir -p src/deep && echo x > src/deep/file',
    'curl --output=src/a http://127.0.0.1:1/',
    `awk '{print $1 > "src/out"}' src/a`,
    `awk '/tests/ {print}' src/a`,
    'echo $((1 << 3)) > src/a',
    `printf $'a\\tb\\n' > src/a`,
    'rm src/[a-z]',
    'dacapo status',
    'dacapo hooks',
    'dacapo hooks --loop ID list',
    'node dist/cli.js --help',
    'node scripts/build.mjs',
    'dacapo resume',
  ];
  expect(await letThrough(world, lines)).toEqual(lines);
});

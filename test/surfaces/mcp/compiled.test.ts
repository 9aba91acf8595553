/** The server keeps its compiled code for later starts. A damaged copy must not keep it from starting. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connect, makePlace, type Place } from './server.ts';

/** The file of the compiled code, when it has more than so many bytes. */
async function cacheOf({ home }: Place, bytes: number): Promise<string> {
  const folder = join(home, 'cache');
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
    const name = existsSync(folder) && readdirSync(folder).find((one) => one.includes('mcp-server'));
    if (name && statSync(join(folder, name)).size > bytes) return join(folder, name);
  }
  throw new Error('no compiled code was kept within 10 s');
}

it('starts from compiled code, and compiles again where that is damaged or cut off', async () => {
  const place = makePlace();
  await connect(place);
  await cacheOf(place, -1);
  await connect(place);
  const cache = await cacheOf(place, 0);
  const whole = readFileSync(cache);
  const flipped = Buffer.from(whole);
  for (let at = 100; at < flipped.length; at += 997) flipped[at] = (flipped[at] ?? 0) ^ 0xff;
  for (const damaged of [whole, flipped, whole.subarray(0, 5_000), Buffer.alloc(0)]) {
    writeFileSync(cache, damaged);
    const { client } = await connect(place);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  }
});

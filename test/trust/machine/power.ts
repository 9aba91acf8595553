/** The machine goes off in the middle of a schedule: nothing runs any more, and the disk holds what it may hold. */
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crashImage } from '../crash-images.ts';
import type { World } from './schedule.ts';

const BOOT_MS = 5_000;

export function cutPower(world: World): void {
  const { machine, random, auditor } = world;
  const { root } = machine;
  world.trace('the power is cut');
  // Hosts that are gone start nothing more.
  world.session.crash(random.whole(100, 2_000));
  for (const process of machine.processes) world.kill(process);
  const { operations } = machine;
  const image = crashImage({ root, before: world.disk, operations }, operations.length, () => random.next());
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
  for (const [path, content] of [...image].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (content === null) mkdirSync(path, { recursive: true, mode: 0o700 });
    else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, content, { mode: 0o600 });
      utimesSync(path, machine.now / 1_000, machine.now / 1_000);
    }
  }
  mkdirSync(join(root, 'project/.claude'), { recursive: true });
  world.disk = image;
  machine.operations = [];
  machine.now += BOOT_MS;
  machine.booted = machine.now;
  // What was typed a moment ago may be gone with the power, as in any editor.
  auditor.written.clear();
  auditor.afterCut(world.promised);
  auditor.look();
  auditor.compare();
  world.session.forgetLostStart();
  // Before anybody has written: what the first one sees is what is left.
  for (const [loop, { ledger }] of auditor.records) if (ledger.lines.length > 0) world.people.look(loop);
}

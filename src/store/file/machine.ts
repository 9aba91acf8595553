/** `machine`: a random id, made once. A host name would change with the network, and the loops would seem to be elsewhere. */
import { writeFileSync } from 'node:fs';
import { hash } from '../../core/hash.ts';
import { makePrivateFolder, readIfThere, type Home } from './home.ts';

const LENGTH = 12;

export function makeMachine(home: Home): string {
  const id = hash(`${Math.random()} ${Math.random()} ${process.pid} ${Date.now()}`).slice(-LENGTH);
  makePrivateFolder(home.dir);
  try {
    writeFileSync(home.machine, id, { flag: 'wx', mode: 0o600 });
    return id;
  } catch {
    // Another process was first. One that can't write here has no loop to write the id into.
    return readIfThere(home.machine) || id;
  }
}

/**
 * Loaded into a process before it begins (`--import`): notes every change that it makes to files below
 * WRITES_BELOW, and everything that it says on stdout, in order, one JSON line each, in the file WRITES_LOG.
 * `crash-images.ts` reads them.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { layerOver } from './file-layer.mjs';

const { WRITES_LOG: log, WRITES_BELOW: below } = process.env;

if (log !== undefined && below !== undefined) {
  const { writeSync } = fs;
  const out = fs.openSync(log, 'a', 0o600);
  Object.assign(fs, layerOver({ below, note: (entry) => writeSync(out, `${JSON.stringify(entry)}\n`) }).fs);
  syncBuiltinESMExports();
}

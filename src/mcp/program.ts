/** The server of the plugin. `main.ts` loads it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../core/shape.ts';
import { PLUGIN_MANIFEST } from '../hosts/names.ts';
import { serveOverStdio } from './stdio.ts';

function versionOf(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', ...PLUGIN_MANIFEST), 'utf8'),
  );
  return isRecord(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : 'unknown';
}

serveOverStdio({ runner: join(import.meta.dirname, 'runner.cjs'), version: versionOf() });

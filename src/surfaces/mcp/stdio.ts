/** The server of the plugin: MCP on stdin and stdout, in both eras. Nothing else is written to stdout. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isRecord } from '#base/shape.ts';
import { PLUGIN_MANIFEST } from '#hosts/tables/names.ts';
import { makeServer } from './server.ts';
import { complain, openToolContext } from './tool-context.ts';

export function serveOverStdio(): void {
  const runner = join(import.meta.dirname, 'runner.cjs');
  const context = openToolContext({ runner, version: versionOfPlugin(), bound: true });
  serveStdio(({ era }) => makeServer(context, era), { onerror: complain });
  // The watches would keep the process alive after its client is gone. If an answer can't be written, the
  // library stops reading, and stdin never closes.
  process.stdin.on('close', () => context.changes.end());
  process.stdout.on('error', () => context.changes.end());
}

function versionOfPlugin(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', ...PLUGIN_MANIFEST), 'utf8'),
  );
  return isRecord(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : 'unknown';
}

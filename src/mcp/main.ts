/** The program that a host starts: MCP on stdin and stdout. Nothing else is ever written to stdout. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isRecord } from '../core/shape.ts';
import { sessionOfServer } from '../hosts/server-session.ts';
import { findHome } from '../store/file/home.ts';
import { fileStore } from '../store/file/store.ts';
import { isAlive, type Runtime } from '../store/runtime.ts';
import { askData } from '../stop-hooks/ask-data.ts';
import type { Desk } from './desk.ts';
import { makeServer } from './server.ts';

const note = (line: unknown) => void process.stderr.write(`dacapo: ${String(line)}\n`);

function openDesk(): Desk {
  const { env } = process;
  const session = sessionOfServer(env, process.ppid);
  const world: Runtime = {
    store: fileStore(findHome(env, process.platform)),
    now: () => new Date().toISOString(),
    process: process.pid,
    started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    runner: join(import.meta.dirname, 'runner.cjs'),
    isAlive,
    // The log belongs to the hook. Errors reach the client, and what can't goes to stderr.
    log: () => undefined,
    askData,
    env,
  };
  return { world, session, project: session?.project ?? process.cwd(), version: versionOf() };
}

/** The plugin's manifest is beside it in every installation. */
function versionOf(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '.claude-plugin', 'plugin.json'), 'utf8'),
  );
  return isRecord(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : 'unknown';
}

const desk = openDesk();
serveStdio(() => makeServer(desk), { onerror: note });

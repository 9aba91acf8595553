/** MCP on stdin and stdout, in both eras of the protocol. Nothing else is ever written to stdout. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { complain, openDesk, type Program } from './open-desk.ts';
import { makeServer } from './server.ts';

export function serveOverStdio(program: Omit<Program, 'bound'>): void {
  const desk = openDesk({ ...program, bound: true });
  serveStdio(({ era }) => makeServer(desk, era), { onerror: complain });
  // The watches would keep the process alive after its client is gone.
  process.stdin.on('close', () => desk.changes.end());
}

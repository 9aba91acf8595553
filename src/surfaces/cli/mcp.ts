/** `dacapo mcp`: serves MCP on stdin and stdout, or over HTTP. */
import { createRequire } from 'node:module';
import { EXIT, printNote, sayJson, failUsage } from './terminal/terminal.ts';
import { MCP, RUNNER, version } from '#base/process/package.ts';
import { failPort, readPort } from './terminal/port.ts';
import type { GivenFlags } from './command.ts';

export async function runMcp({ http, port, json }: GivenFlags<'http' | 'json', 'port'>): Promise<number> {
  if (!http) {
    if (port !== undefined || json)
      return failUsage(`--${json ? 'json' : 'port'} needs --http.`, 'give both, or leave it out.');
    // The plugin's program starts fast: it keeps its compiled code.
    createRequire(MCP)(MCP);
    return EXIT.ok;
  }
  const chosen = readPort(port);
  if (chosen === null) return EXIT.usage;
  const { serveOverHttp } = await import('../mcp/http.ts');
  const token = process.env['DACAPO_MCP_TOKEN'] || null;
  const order = { runner: RUNNER, version: version(), port: chosen, token };
  const served = await serveOverHttp(order).catch((error: unknown) => failPort(error, chosen));
  if (typeof served === 'number') return served;
  if (json) sayJson({ url: served.url, token: served.token });
  else printNote(`Da Capo: MCP at ${served.url}\nAuthorization: Bearer ${served.token}`);
  const stop = () => void served.close();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return EXIT.ok;
}

/** `dacapo mcp`: serves MCP on stdin and stdout, or over HTTP. */
import { createRequire } from 'node:module';
import { EXIT, fail, note, sayJson } from './terminal/terminal.ts';
import { MCP, RUNNER, version } from '../process/package.ts';
import { failPort, readPort } from './terminal/port.ts';
import type { Given } from './command.ts';

export async function runMcp({ http, port, json }: Given<'http' | 'json', 'port'>): Promise<number> {
  const program = { runner: RUNNER, version: version() };
  if (!http) {
    if (port !== undefined || json)
      return fail(`--${json ? 'json' : 'port'} needs --http.`, 'give both, or neither.', EXIT.usage);
    // The plugin's program starts fast: it keeps its compiled code.
    createRequire(import.meta.url)(MCP);
    return EXIT.ok;
  }
  const chosen = readPort(port);
  if (chosen === null) return EXIT.usage;
  const { serveOverHttp } = await import('../mcp/http.ts');
  const token = process.env['DACAPO_MCP_TOKEN'] || null;
  const served = await serveOverHttp({ ...program, port: chosen, token }).catch((error: unknown) =>
    failPort(error, chosen),
  );
  if (typeof served === 'number') return served;
  const { url, close } = served;
  if (json) sayJson({ url, token: served.token });
  else note(`Da Capo: MCP at ${url}\nAuthorization: Bearer ${served.token}`);
  const stop = () => void close();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return EXIT.ok;
}

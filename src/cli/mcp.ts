/** `dacapo mcp`: serves MCP on stdin and stdout, or over HTTP. */
import { createRequire } from 'node:module';
import { codeOf } from '../core/error-code.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { MCP, RUNNER, version } from './package.ts';
import { fail, note, sayJson } from './terminal/terminal.ts';

const HIGHEST_PORT = 65_535;

export interface McpOptions {
  readonly http: boolean;
  readonly port: string | undefined;
  readonly json: boolean;
}

/** Resolves when the server has begun. The process lives as long as the server. */
export async function runMcp({ http, port, json }: McpOptions): Promise<number> {
  const program = { runner: RUNNER, version: version() };
  if (!http) {
    if (port !== undefined || json)
      return fail(`--${json ? 'json' : 'port'} needs --http.`, 'give both, or neither.', EXIT.usage);
    // The plugin's program starts fast: it keeps its compiled code.
    createRequire(import.meta.url)(MCP);
    return EXIT.ok;
  }
  const chosen = Number(port ?? 0);
  if (!Number.isSafeInteger(chosen) || chosen < 0 || chosen > HIGHEST_PORT)
    return fail(
      `--port takes a number up to ${HIGHEST_PORT}, not ${JSON.stringify(port)}.`,
      'leave it out for a free one.',
      EXIT.usage,
    );
  const { serveOverHttp } = await import('../mcp/http.ts');
  const token = process.env['DACAPO_MCP_TOKEN'] || null;
  const served = await serveOverHttp({ ...program, port: chosen, token }).catch((error: unknown) => {
    if (codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES') return null;
    throw error;
  });
  if (served === null)
    return fail(`port ${chosen} can't be had.`, 'give another, or leave --port out for a free one.');
  const { url, close } = served;
  if (json) sayJson({ url, token: served.token });
  else note(`Da Capo: MCP at ${url}\nAuthorization: Bearer ${served.token}`);
  const stop = () => void close();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return EXIT.ok;
}

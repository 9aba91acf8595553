/**
 * The program that a host starts for each session. Half of a start would be V8 compiling the server's
 * library.
 */
import { projectOfAgent } from '#hosts/tables/names.ts';
import { ignoreForeignHome, homeFolder } from '#store/file/home.ts';
import { compiledRequire } from '#store/file/compiled.ts';
import type * as McpServer from '#surfaces/mcp/stdio.ts';

/** By then a host has asked what it asks of every server, and waits for no answer. */
const SETTLED_MS = 1_500;

ignoreForeignHome(projectOfAgent(process.env));
const load = compiledRequire({
  folder: __dirname,
  home: homeFolder(process.env, process.platform),
  project: projectOfAgent(process.env) ?? '.',
  require,
  later: (keep) => setTimeout(keep, SETTLED_MS).unref(),
});
const { serveOverStdio } = load('./mcp-server.cjs') as typeof McpServer;
serveOverStdio();

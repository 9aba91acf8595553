/**
 * The file that hosts start, at every event and for the status bar. It holds only what loads the program
 * beside it.
 */
import { existsSync, writeSync } from 'node:fs';
import { projectOfAgent } from '#hosts/tables/names.ts';
import { compiledRequire } from '#store/file/compiled.ts';
import { homeFolder } from '#store/file/home.ts';

const { env, platform } = process;
const home = homeFolder(env, platform);

// Where no loop was ever started, the hook leaves nothing behind.
const load = existsSync(home)
  ? compiledRequire({
      folder: __dirname,
      home,
      project: projectOfAgent(env) ?? '.',
      require,
      later: (keep) => process.on('exit', keep),
    })
  : require;
try {
  load(process.argv[2] === 'statusline' ? './status-line.cjs' : './hook-program.cjs');
} catch (error) {
  // Not even the program can be read, and so nobody knows which host calls. Most of them show this.
  writeSync(1, JSON.stringify({ systemMessage: String(error) }));
}

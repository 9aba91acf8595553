/** The file that hosts start at every event. It holds only what loads the program beside it. */
import { existsSync } from 'node:fs';
import { compiledRequire } from '../store/file/compiled.ts';
import { findHome } from '../store/file/home.ts';

const home = findHome(process.env, process.platform).dir;

compiledRequire({
  folder: __dirname,
  home,
  require,
  // Where no loop was ever started, the hook leaves nothing behind.
  later: (keep) => process.once('exit', () => existsSync(home) && keep()),
})('./hook-program.cjs');

// For scripts that use what is built and build nothing themselves: says what to do where nothing is built.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const missing = ['node_modules/esbuild', 'dist/cli.cjs'].filter((path) => !existsSync(join(root, path)));
if (missing.length > 0) {
  console.error(`${missing.join(' and ')} is not there. Run npm ci and npm run build first.`);
  process.exit(1);
}

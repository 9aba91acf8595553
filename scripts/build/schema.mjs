// Writes schema/dacapo.config.schema.json from the schema that parses the config. A test compares the two.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../root.mjs';

const file = join(root, 'schema/dacapo.config.schema.json');

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/surfaces/stop-hooks/config/config-schema.ts'],
  bundle: true,
  format: 'esm',
  write: false,
});
const { publishedSchema } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);
writeFileSync(file, JSON.stringify(publishedSchema(), null, 2));
process.exit(
  spawnSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), file], { stdio: 'inherit' })
    .status,
);

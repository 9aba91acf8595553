// dist/ui: the page of `dacapo ui`, which a browser gets.

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../root.mjs';
import { bundledIn } from './bundled.mjs';
import { bundling, publish, withLicences } from './bundling.mjs';

const PAGE = 'src/surfaces/page/browser';
/** The browsers of the last two years. */
const BROWSERS = ['chrome120', 'firefox121', 'safari17'];

export async function buildPage(esbuild, libraries) {
  const outdir = join(root, 'dist/ui');
  const result = await esbuild.build({
    ...bundling,
    platform: 'browser',
    target: BROWSERS,
    entryPoints: [{ in: join(PAGE, 'main.tsx'), out: 'page' }],
    outdir,
    format: 'esm',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const files = new Map(
    result.outputFiles.map((file) => [relative(outdir, file.path), Buffer.from(file.contents)]),
  );
  for (const name of ['index.html', 'icon.svg']) files.set(name, readFileSync(join(root, PAGE, name)));
  withLicences(files, new Set(bundledIn(result.metafile)), libraries);
  publish(outdir, files);
}

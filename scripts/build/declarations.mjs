// dist/types: the declarations of the library, as somebody who installs the package needs them.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../root.mjs';
import { fail } from './bundling.mjs';
import { slashes } from './seams.mjs';

const ENTRIES = ['surfaces/library/index.d.ts', 'surfaces/stop-hooks/index.d.ts'];
const IMPORTED = /(from |import\()(['"])([#.][^'"]*)\.ts\2/g;

export function emitDeclarations() {
  const outdir = join(root, 'dist/types');
  const all = mkdtempSync(join(root, 'dist/.types-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', all];
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    if (status !== 0) fail('the declarations could not be written');
    // A declaration whose source is gone must not stay.
    rmSync(outdir, { recursive: true, force: true });
    for (const [path, text] of reachable(all)) {
      mkdirSync(dirname(join(outdir, path)), { recursive: true });
      writeFileSync(join(outdir, path), text);
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

/** By path: the declarations that the entries lead to. tsc writes one for every module behind them. */
function reachable(folder) {
  const texts = new Map();
  const waiting = [...ENTRIES];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const { text, imports } = published(path, readFileSync(join(folder, path), 'utf8'));
    texts.set(path, text);
    waiting.push(...imports);
  }
  return texts;
}

/** In the package `#law/loop.ts` is no name of ours, and a declaration is found by the script beside it. */
function published(path, source) {
  const imports = [];
  const text = source.replaceAll(IMPORTED, (_, before, quote, name) => {
    const target = name.startsWith('#') ? name.slice(1) : slashes(join(dirname(path), name));
    imports.push(`${target}.d.ts`);
    const near = slashes(relative(dirname(path), target));
    return `${before}${quote}${near.startsWith('.') ? near : `./${near}`}.js${quote}`;
  });
  return { text, imports };
}

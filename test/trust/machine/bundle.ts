/** Bundles the processes of a simulated machine, from the source as it is or with patches to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Bundles } from './machine.ts';
import type { Patch } from './sabotages.ts';

const ROOT = join(import.meta.dirname, '../../..');

export async function bundleMachine(folder: string, patches: readonly Patch[] = []): Promise<Bundles> {
  const patched = new Set<string>();
  const onLoad = ({ path }: { readonly path: string }) => {
    const own = patches.filter(({ file }) => path.endsWith(`/src/${file}`));
    if (own.length === 0) return undefined;
    const contents = own.reduce(
      (text, { file, find, put }) => {
        if (text.split(find).length !== 2) throw new Error(`${file} has not once: ${find}`);
        patched.add(find);
        return text.replace(find, () => put);
      },
      readFileSync(path, 'utf8'),
    );
    return { contents, loader: 'ts' as const };
  };
  await build({
    entryPoints: {
      processes: join(import.meta.dirname, 'processes.ts'),
      waker: join(ROOT, 'src/programs/wake.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'error',
    absWorkingDir: ROOT,
    plugins: [
      { name: 'sabotage', setup: (bundler) => bundler.onLoad({ filter: patchedFiles(patches) }, onLoad) },
    ],
  });
  for (const { file, find } of patches)
    if (!patched.has(find)) throw new Error(`${file} is not loaded: ${find}`);
  return { processes: join(folder, 'processes.cjs'), waker: join(folder, 'waker.cjs') };
}

/** A question about each file of the source would take longer than all else here. */
function patchedFiles(patches: readonly Patch[]): RegExp {
  const files = patches.map(({ file }) => file.replaceAll('.', '[.]'));
  return new RegExp(`/src/(?:${files.join('|') || '-'})$`);
}

/** Bundles the simulation with the source as it is, or with patches to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Sabotage } from './sabotages.ts';

const ROOT = join(import.meta.dirname, '../../..');

export async function bundleSimulation(outfile: string, patches: Sabotage['patches'] = []): Promise<string> {
  const patched = new Set<string>();
  await build({
    entryPoints: [join(import.meta.dirname, 'program.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    external: ['pg-native'],
    logLevel: 'error',
    absWorkingDir: ROOT,
    plugins: [
      {
        name: 'sabotage',
        setup: (bundler) => {
          bundler.onLoad({ filter: /\/src\/fleet\/.*\.ts$/ }, ({ path }) => {
            const own = patches.filter(({ file }) => path.endsWith(`/src/fleet/${file}`));
            if (own.length === 0) return undefined;
            const contents = own.reduce(
              (text, { file, find, put }) => {
                if (text.split(find).length !== 2) throw new Error(`${file} has not once: ${find}`);
                patched.add(find);
                return text.replace(find, () => put);
              },
              readFileSync(path, 'utf8'),
            );
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  for (const { file, find } of patches)
    if (!patched.has(find)) throw new Error(`${file} is not loaded: ${find}`);
  return outfile;
}

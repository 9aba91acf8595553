// Looks at the package as npm would publish it: publint and "are the types wrong?" find nothing, and it is
// not too large. `prepack` runs it, so a package with a problem is never packed.

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from '../root.mjs';

/** What everybody downloads. Above it, look for code that is in two bundles (docs/internals/build.md). */
const MOST_BYTES = 1_400_000;
/** The library is ES modules only, found by `exports`, so these two ways to look for it are not ours. */
const isMeant = ({ kind, resolutionKind }) => kind === 'CJSResolvesToESM' || resolutionKind === 'node10';

const tarball = pack();
const problems = [...(await lint(tarball)), ...(await typeProblems(tarball))];
if (tarball.length > MOST_BYTES)
  problems.push(`the package has ${tarball.length} bytes, more than ${MOST_BYTES}`);
for (const problem of problems) console.error(`package: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);

function pack() {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-package-'));
  try {
    // npm calls us before it packs, so this one must not call us again.
    const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--dry-run=false'];
    const packed = spawnSync('npm', [...args, '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (packed.status !== 0) throw new Error('npm pack failed');
    const [{ filename }] = Object.values(JSON.parse(packed.stdout));
    return readFileSync(join(folder, filename));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lint(data) {
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
  const found = messages.filter(({ type }) => type !== 'suggestion');
  return found.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

async function typeProblems(data) {
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(data)));
  if (!types) return ['attw: there are no types'];
  return problems
    .filter((problem) => !isMeant(problem))
    .map(({ kind, entrypoint, resolutionKind }) =>
      ['attw:', kind, entrypoint, resolutionKind].filter(Boolean).join(' '),
    );
}

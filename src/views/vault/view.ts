/** The vault view: a state file in `Ralph_State` while the loop lives, `Ralph_History` once it has ended. */
import { basename, dirname, resolve } from 'node:path';
import { movedBaselineOf } from '../../core/gates.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import { openRequestsOf } from '../../core/waiting/requests.ts';
import { keepCopy, keepRendering, renderingsOf } from '../renderings.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { readRegular } from '../../files/read.ts';
import { makeViewFile, removeViewFile } from '../file.ts';
import { hasVaultEnded, readVault, renderVault } from './format.ts';
import { importVault, isVault, isVaultState } from './import.ts';
import { VAULT, VAULT_FILES, historyFile, vaultFile } from './names.ts';
import { historyOf } from './history.ts';
import { makeFile, readInFile, showInFile, takeFile, type FileView } from '../file-view.ts';
import type { ImportPlaces } from '../imported.ts';
import type { View } from '../view.ts';
import { promptOf } from '../../store/prompts.ts';

const FILE: FileView = {
  kind: 'vault',
  read: (open, content, last) => readVault(content, open.loop(), last),
  render: renderFile,
};

export const vaultView: View = {
  kind: 'vault',
  files: VAULT_FILES,
  make,
  read: (open, file, runtime) => readInFile(FILE, open, file, runtime),
  render: (open, file, runtime) => {
    if (hasEnded(open.loop())) moveToHistory(open, file);
    else showInFile(FILE, open, file, runtime);
  },
  restore: (open, file) => (makeFile(FILE, open, file) ? file : null),
  import: {
    place: VAULT,
    knows: ({ path, is }) => (is === 'folder' ? isVault(path) : is === 'file' && isVaultState(path)),
    from: importVault,
  },
};

function make(open: OpenLoop, { vault, files }: ImportPlaces): string {
  const file = files?.vault ?? vaultFile(vault ?? VAULT, open.loop().id);
  const made = files?.vault === undefined ? makeFile(FILE, open, file) : takeFile(FILE, open, file);
  if (!made) throw new Error(`${file} is someone else's`);
  return file;
}

function renderFile(open: OpenLoop, loop: Loop): string {
  const moved = movedBaselineOf(topFrame(loop));
  return renderVault(loop, {
    ...historyOf(open),
    prompt: promptOf(open, loop),
    awaitsApproval: openRequestsOf(loop).length > 0,
    moved: moved === null ? null : { file: moved.file, folder: moved.folder },
  });
}

/** Done once: an ending may be rendered again later, when its file is already gone. */
function moveToHistory(open: OpenLoop, file: string): void {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const { last, isOurs } = renderingsOf(open, FILE.kind);
  const found = readRegular(path);
  if (found.is !== 'content' && last !== null && hasVaultEnded(last)) return;
  const rendering = renderFile(open, loop);
  keepRendering(open, FILE.kind, rendering, () => putAside(path, rendering, loop.project));
  if (found.is !== 'content' || readVault(found.content, loop, last).is === 'foreign') return;
  if (!isOurs(found.content)) keepCopy(open, `last-${basename(path)}`, found.bytes);
  removeViewFile(path);
}

/** Under its own name, else with a number. Files in the history are never replaced. */
function putAside(path: string, rendering: string, project: string): boolean {
  const vault = dirname(dirname(path));
  const id = basename(path, '.json');
  for (let copy = 1; ; copy++)
    if (makeViewFile(historyFile(vault, copy === 1 ? id : `${id}-${copy}`), rendering, project)) return true;
}

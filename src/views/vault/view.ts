/** Seed 003's state file: `Ralph_State` while the loop lives, `Ralph_History` once it has ended. */
import { basename, dirname, resolve } from 'node:path';
import { movedBaselineOf } from '../../core/gates.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import { keepEvidence } from '../../store/file/evidence.ts';
import { keepRendering, renderingsOf } from '../renderings.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { makeViewFile, readViewFile, removeViewFile } from '../file.ts';
import { hasVaultEnded, readVault, renderVault } from './format.ts';
import { VAULT, historyFile, vaultFile } from './names.ts';
import { accountOf } from './history.ts';
import { lookAtFile, makeFile, showInFile, takeFile, type FileView } from '../owned-file.ts';
import type { Keeper, Places } from '../view.ts';
import { promptOf } from '../task.ts';
import type { World } from '../../store/runtime.ts';

const VIEW: FileView = { kind: 'vault', read: readVault, render };

export const vaultView: Keeper = {
  make,
  look: (open, file, world) => lookAtFile(VIEW, open, file, world),
  show,
  restore: (open, file) => {
    if (readViewFile(resolve(open.loop().project, file)).is === 'gone') makeFile(VIEW, open, file);
  },
};

function make(open: OpenLoop, { vault, files }: Places): string {
  const file = files?.vault ?? vaultFile(vault ?? VAULT, open.loop().id);
  const made = files?.vault === undefined ? makeFile(VIEW, open, file) : takeFile(VIEW, open, file);
  if (!made) throw new Error(`${file} is someone else's`);
  return file;
}

function render(open: OpenLoop, loop: Loop): string {
  const moved = movedBaselineOf(topFrame(loop));
  return renderVault(loop, {
    ...accountOf(open),
    prompt: promptOf(open, loop),
    awaitsApproval: false,
    moved: moved === null ? null : { file: moved.file, folder: moved.folder },
  });
}

function show(open: OpenLoop, file: string, world: World): void {
  if (hasEnded(open.loop())) moveToHistory(open, file);
  else showInFile(VIEW, open, file, world);
}

/** Once: an ending is rendered whenever someone looks, and its file is not there any more then. */
function moveToHistory(open: OpenLoop, file: string): void {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const { last, isOurs } = renderingsOf(open.dir, VIEW.kind);
  const found = readViewFile(path);
  if (found.is !== 'content' && last !== null && hasVaultEnded(last)) return;
  const rendering = render(open, loop);
  keepRendering(open.dir, VIEW.kind, rendering, () => putAside(path, rendering));
  if (found.is !== 'content' || readVault(found.content, loop, last).is === 'foreign') return;
  if (!isOurs(found.content)) keepEvidence(open.dir, `last-${basename(path)}`, found.bytes);
  removeViewFile(path);
}

/** Under its own name, else with a number: what is in the history stays. */
function putAside(path: string, rendering: string): boolean {
  const vault = dirname(dirname(path));
  const id = basename(path, '.json');
  for (let copy = 1; ; copy++)
    if (makeViewFile(historyFile(vault, copy === 1 ? id : `${id}-${copy}`), rendering)) return true;
}

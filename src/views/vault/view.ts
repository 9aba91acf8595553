/** The vault view: a state file in `Ralph_State` while the loop lives, `Ralph_History` once it has ended. */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { movedBaselineOf } from '../../core/gates.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import { openRequestsOf } from '../../core/waiting/requests.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { makeViewFile } from '../file.ts';
import { hasVaultEnded, readVault, renderVault } from './format.ts';
import { importVault, isVault, isVaultState } from './import.ts';
import { VAULT, historyFile, vaultFile } from '../places.ts';
import { historyOf } from './history.ts';
import { fileView, keepRendering, renderingsOf } from '../file-view.ts';
import type { View } from '../view.ts';
import { promptOf } from '../../store/prompts.ts';

export const vaultView: View = {
  ...fileView({
    kind: 'vault',
    render,
    read: (open, content, last) => readVault(content, open.loop(), last),
    places: ({ id }, vault) => [vaultFile(vault ?? VAULT, id)],
    goes: hasEnded,
    putAside,
  }),
  import: {
    place: VAULT,
    knows: ({ path, is }) => (is === 'folder' ? isVault(path) : is === 'file' && isVaultState(path)),
    from: importVault,
  },
};

function render(open: OpenLoop, loop: Loop): string {
  const moved = movedBaselineOf(topFrame(loop));
  return renderVault(loop, {
    ...historyOf(open),
    prompt: promptOf(open, loop),
    awaitsApproval: openRequestsOf(loop).length > 0,
    moved: moved === null ? null : { file: moved.file, folder: moved.folder },
  });
}

/**
 * Into the history, once: an ending may be rendered again later, when its file is already gone. Files there are never
 * replaced, so another one of this name gets a number.
 */
function putAside(open: OpenLoop, path: string): void {
  const { last } = renderingsOf(open, 'vault');
  if (!existsSync(path) && last !== null && hasVaultEnded(last)) return;
  const loop = open.loop();
  const rendering = render(open, loop);
  const [vault, id] = [dirname(dirname(path)), basename(path, '.json')];
  keepRendering(open, 'vault', rendering, () => {
    for (let copy = 1; ; copy++) {
      const file = historyFile(vault, copy === 1 ? id : `${id}-${copy}`);
      if (makeViewFile(file, rendering, loop.project)) return true;
    }
  });
}

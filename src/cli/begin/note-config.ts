/** A person who starts a loop and leaves should know that nobody will be told how it ends. */
import { readUserConfig, sayMisfit } from '../../flags/user-config/user-config.ts';
import { homeAt } from '../../store/file/home.ts';
import type { Runtime } from '../../store/runtime.ts';
import { note } from '../terminal/terminal.ts';

export function noteBadConfig({ store }: Runtime): void {
  const read = readUserConfig(store.config);
  if (read.ok) return;
  const { config } = homeAt(store.place());
  note(`Da Capo: ${sayMisfit(read, config)} Until you fix it, no target in that file is told.`);
}

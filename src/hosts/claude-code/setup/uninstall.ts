/** `dacapo uninstall` for Claude Code: removes what `init` added, even if a person has edited the file since. */
import { join } from 'node:path';
import { readText } from '../../../files/read.ts';
import { hash } from '../../../core/hash.ts';
import type { Refusal } from '../../../core/refusal.ts';
import { isRecord } from '../../../core/shape.ts';
import { CAP_VARIABLE, NO_CAP, capSet } from '../hook/cap.ts';
import type { Edit, Scope, SettingsPlan } from '../../command-line.ts';
import { removeEmptyFolders } from '../../../files/remove-empty.ts';
import { applyEdit, editOf, parseSettings, readSettings, settingsText, type Settings } from './settings.ts';
import { noSettings, type InstallOrder } from './install.ts';
import { commandsFolder, settingsPath, shippedCommands } from './places.ts';
import { keepAddition, readAddition, type Addition } from './record.ts';
import { handlersIn, withoutHooks } from './registration.ts';
import { withoutStatusLine } from './status-line.ts';

export type UninstallOrder = Pick<InstallOrder, 'scope' | 'place' | 'plugin' | 'record' | 'exclude'>;

export interface UninstallPlan extends Omit<SettingsPlan, 'apply'> {
  readonly folders: readonly string[];
}

export function planUninstall(order: UninstallOrder): UninstallPlan | Refusal {
  const path = settingsPath(order.scope, order.place);
  const addition = readAddition(order.record, path);
  const text = readText(path);
  const settings = parseSettings(text ?? '');
  if (settings === null) return noSettings(path, text ?? '');
  const after = text === null ? null : textWithout(text, settings, addition);
  const commands = planCommands(order, addition);
  const unknownCap = addition === null && handlersIn(settings).length > 0 && capSet(settings) === NO_CAP;
  return {
    ok: true,
    settings: path,
    edits: [...editOf('settings', path, text, after), ...commands.edits, ...planExclude(order, addition)],
    notes: [
      ...commands.notes,
      ...(unknownCap
        ? [`${path}: env.${CAP_VARIABLE} stays, as it is not known that \`dacapo init\` has set it.`]
        : []),
    ],
    folders: addition?.folders ?? [],
  };
}

export function uninstall(plan: UninstallPlan, record: string): void {
  for (const edit of plan.edits) applyEdit(edit, 'without-backup');
  removeEmptyFolders(plan.folders);
  keepAddition(record, plan.settings, null);
}

/** If the file is unchanged since `init`: the former file, byte for byte. If edited: the edited file without our parts. */
function textWithout(text: string, settings: Settings, addition: Addition | null): string | null {
  const untouched = addition !== null && hash(text) === addition.written;
  if (untouched && addition.created) return null;
  if (untouched && addition.former !== null) return addition.former;
  const wasThere = addition?.statusLine === undefined ? null : addition.statusLine === 'wrapped';
  const rest = withoutStatusLine(
    withoutCapOf(withoutHooks(settings, addition?.places ?? []), addition),
    wasThere,
  );
  if (rest === settings) return text;
  return addition?.created === true && Object.keys(rest).length === 0 ? null : settingsText(rest, text);
}

function withoutCapOf(settings: Settings, addition: Addition | null): Settings {
  if (addition?.cap !== true || capSet(settings) !== NO_CAP || !isRecord(settings['env'])) return settings;
  const { [CAP_VARIABLE]: _, ...env } = settings['env'];
  if (Object.keys(env).length > 0 || addition.hadEnv) return { ...settings, env };
  const { env: __, ...rest } = settings;
  return rest;
}

function planCommands(order: UninstallOrder, addition: Addition | null): { edits: Edit[]; notes: string[] } {
  const sharer = sharerOf(order);
  if (sharer !== null)
    return {
      edits: [],
      notes: [`The commands stay: ${sharer} has Da Capo's hooks as well, and shares them.`],
    };
  const plan = { edits: [] as Edit[], notes: [] as string[] };
  for (const { file, content } of shippedCommands(order.plugin)) {
    const path = join(commandsFolder(order.scope, order.place), file);
    const present = readText(path);
    const added = addition?.commands.find((one) => one.path === path);
    if (present === null) continue;
    if (present === content || hash(present) === added?.hash)
      plan.edits.push(...editOf('command', path, present, null));
    else if (added !== undefined) plan.notes.push(`${path} was edited since and stays.`);
  }
  return plan;
}

/** The project's and the local settings share one folder of commands. */
function sharerOf({ scope, place }: UninstallOrder): string | null {
  const others: Record<Scope, Scope | null> = { user: null, project: 'local', local: 'project' };
  const other = others[scope];
  if (other === null) return null;
  const path = settingsPath(other, place);
  return handlersIn(readSettings(path) ?? {}).length > 0 ? path : null;
}

function planExclude({ exclude }: UninstallOrder, addition: Addition | null): Edit[] {
  const present = exclude === null ? null : readText(exclude);
  if (exclude === null || present === null || addition === null) return [];
  const lines = present.split('\n').filter((line) => !addition.excluded.includes(line));
  return editOf('exclude', exclude, present, lines.join('\n'));
}

/**
 * `dacapo init` and `uninstall` for Claude Code: the hooks, the plain commands, the cap. First a plan of edits, then
 * the edits.
 */
import { CAP_VARIABLE } from '../names.ts';
import { join } from 'node:path';
import { readText } from '../../../files/read.ts';
import { hash } from '../../../core/hash.ts';
import { refuse, type Refusal } from '../../../core/refusal.ts';
import { isRecord } from '../../../core/shape.ts';
import { NO_CAP, capSet, withoutCap } from '../hook/cap.ts';
import type { Edit, SettingsOrder, SettingsPlan } from '../../command-line.ts';
import {
  applyEdit,
  editOf,
  missingFolders,
  backupOf,
  parseSettings,
  sayFault,
  settingsText,
  type Settings,
  readSettings,
} from './settings.ts';
import { commandsFolder, settingsPath, shippedCommands } from './places.ts';
import { additionTo, keepAddition, readAddition, type Addition } from './record.ts';
import { canRegister, handlersIn, registrationIn, withHooks, withoutHooks } from './registration.ts';
import { hasStatusLine, withStatusLine, type StatusLineOrder, withoutStatusLine } from './status-line.ts';
import { removeEmptyFolders } from '../../../files/paths.ts';

export interface InstallOrder extends Omit<SettingsOrder, 'home' | 'statusLine'> {
  /** Null: the status line stays as it is. */
  readonly statusLine: StatusLineOrder | null;
  /** The file that records what was added. */
  readonly record: string;
}

interface InstallPlan extends Omit<SettingsPlan, 'apply'> {
  readonly addition: Addition;
}

export function planInstall(order: InstallOrder): InstallPlan | Refusal {
  const path = settingsPath(order.scope, order.place);
  const text = readText(path);
  const settings = parseSettings(text ?? '');
  if (settings === null) return noSettings(path, text ?? '');
  const misfit = `${path}: "hooks" is not an object of lists.`;
  if (!canRegister(settings)) return refuse('hooks-not-understood', misfit, 'Fix it, then try again.');
  const capNow = capSet(settings);
  const setsCap = order.cap && capNow === null;
  const hooked = withHooks(settings, registrationOf(order));
  const capped = setsCap ? withoutCap(hooked) : hooked;
  const next = order.statusLine === null ? capped : withStatusLine(capped, order.statusLine);
  const after = next === settings ? text : settingsText(next, text ?? '');
  const known = knownAddition(order.record, path, settings);
  const commands = planCommands(order, known);
  const added = additionTo(text, settings, known);
  const excluded = planExclude(order, path, text !== null && known?.created !== true, commands.files);
  const edits = [...editOf('settings', path, text, after), ...commands.edits, ...excluded.edits];
  return {
    ok: true,
    settings: path,
    edits,
    notes: [...commands.notes, ...capNotes(order.cap, capNow, path)],
    addition: {
      ...(order.statusLine && { statusLine: hasStatusLine(settings) ? 'wrapped' : 'added' }),
      ...added,
      written: hash(after ?? ''),
      cap: added.cap || setsCap,
      commands: commands.files,
      excluded: [...added.excluded, ...excluded.lines],
      folders: [...added.folders, ...missingFolders(edits)],
    },
  };
}

export function install(plan: InstallPlan, record: string): void {
  // Record first: if we fail half way, `uninstall` still knows what to look for.
  keepAddition(record, plan.settings, plan.addition);
  for (const edit of plan.edits) applyEdit(edit, 'with-backup');
}

function noSettings(path: string, text: string): Refusal {
  const next = 'Fix it (Claude Code ignores it as it is), then try again.';
  return refuse('settings-not-json', `${path} ${sayFault(text)}, so it was not touched.`, next);
}

function registrationOf({ plugin, guard, place }: InstallOrder): ReturnType<typeof registrationIn> {
  const hooksFile: unknown = JSON.parse(readText(join(plugin, 'hooks', 'hooks.json')) ?? 'null');
  return registrationIn(hooksFile, plugin, guard ? place.platform : null);
}

/** If the recorded additions are no longer in the settings, the record is out of date. */
function knownAddition(record: string, path: string, settings: Settings): Addition | null {
  const addition = readAddition(record, path);
  const lifted = addition?.cap === true && capSet(settings) === NO_CAP;
  return lifted || handlersIn(settings).length > 0 ? addition : null;
}

interface CommandPlan {
  readonly edits: Edit[];
  readonly notes: string[];
  /** Those that are ours. */
  readonly files: { readonly path: string; readonly hash: string }[];
}

function planCommands(order: InstallOrder, known: Addition | null): CommandPlan {
  const plan: CommandPlan = { edits: [], notes: [], files: [] };
  for (const { file, content } of shippedCommands(order.plugin)) {
    const path = join(commandsFolder(order.scope, order.place), file);
    const present = readText(path);
    const added = known?.commands.find((one) => one.path === path);
    if (present === null || present === content || hash(present) === added?.hash) {
      plan.edits.push(...editOf('command', path, present, content));
      plan.files.push({ path, hash: hash(content) });
    } else
      plan.notes.push(
        `${path} is a command of your own and stays as it is: /${file.replace(/\.md$/, '')} is not Da Capo's here.`,
      );
  }
  return plan;
}

/** The local scope is for this person alone, so its files should not show up in a commit. */
function planExclude(
  { scope, place, exclude }: InstallOrder,
  settings: string,
  isBackedUp: boolean,
  commands: Addition['commands'],
): { edits: Edit[]; lines: string[] } {
  if (scope !== 'local' || exclude === null) return { edits: [], lines: [] };
  const present = readText(exclude) ?? '';
  const absent = (paths: readonly string[]): string[] =>
    paths
      .map((path) => `**${path.slice(place.project.length).replaceAll('\\', '/')}`)
      .filter((pattern) => !present.split(/\r?\n/).includes(pattern));
  const lines = absent([settings, ...commands.map(({ path }) => path)]);
  // The backup stays after an uninstall, and so does its line.
  const lasting = isBackedUp ? absent([backupOf(settings)]) : [];
  if (lines.length + lasting.length === 0) return { edits: [], lines };
  const begin = present === '' || present.endsWith('\n') ? present : `${present}\n`;
  const after = `${begin}${[...lasting, ...lines].join('\n')}\n`;
  return { edits: editOf('exclude', exclude, readText(exclude), after), lines };
}

function capNotes(wanted: boolean, now: string | null, path: string): string[] {
  if (!wanted || now === null || Number(now) <= 0) return [];
  return [`The cap on stops is ${now} by your own setting in ${path}, and stays so.`];
}

export type UninstallOrder = Pick<InstallOrder, 'scope' | 'place' | 'plugin' | 'record' | 'exclude'>;

interface UninstallPlan extends Omit<SettingsPlan, 'apply'> {
  readonly folders: readonly string[];
}

/** Removes what `init` added, even if a person has edited the file since. */
export function planUninstall(order: UninstallOrder): UninstallPlan | Refusal {
  const path = settingsPath(order.scope, order.place);
  const addition = readAddition(order.record, path);
  const text = readText(path);
  const settings = parseSettings(text ?? '');
  if (settings === null) return noSettings(path, text ?? '');
  const after = text === null ? null : textWithout(text, settings, addition);
  const commands = commandsToRemove(order, addition);
  const unknownCap = addition === null && handlersIn(settings).length > 0 && capSet(settings) === NO_CAP;
  const stays = `${path}: env.${CAP_VARIABLE} stays, as it is not known that \`dacapo init\` has set it.`;
  return {
    ok: true,
    settings: path,
    edits: [...editOf('settings', path, text, after), ...commands.edits, ...linesToRemove(order, addition)],
    notes: [...commands.notes, ...(unknownCap ? [stays] : [])],
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
  const unhooked = withoutHooks(settings, addition?.places ?? []);
  const rest = withoutStatusLine(withoutCapOf(unhooked, addition), wasThere);
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

function commandsToRemove(
  order: UninstallOrder,
  addition: Addition | null,
): Pick<CommandPlan, 'edits' | 'notes'> {
  const sharer = sharerOf(order);
  const stay = `The commands stay: ${sharer} has Da Capo's hooks as well, and shares them.`;
  const plan: Pick<CommandPlan, 'edits' | 'notes'> = { edits: [], notes: sharer === null ? [] : [stay] };
  if (sharer !== null) return plan;
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
  if (scope === 'user') return null;
  const path = settingsPath(scope === 'local' ? 'project' : 'local', place);
  return handlersIn(readSettings(path) ?? {}).length > 0 ? path : null;
}

function linesToRemove({ exclude }: UninstallOrder, addition: Addition | null): Edit[] {
  const present = exclude === null ? null : readText(exclude);
  if (exclude === null || present === null || addition === null) return [];
  const lines = present.split('\n').filter((line) => !addition.excluded.includes(line));
  return editOf('exclude', exclude, present, lines.join('\n'));
}

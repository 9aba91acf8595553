/** `dacapo init` for Claude Code: the hooks, the plain commands, the cap. First a plan of edits, then the edits. */
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
} from './settings.ts';
import { commandsFolder, settingsPath, shippedCommands } from './places.ts';
import { keepAddition, readAddition, type Addition } from './record.ts';
import { canRegister, handlersIn, placesIn, registrationIn, withHooks } from './registration.ts';
import { hasStatusLine, withStatusLine, type StatusLineOrder } from './status-line.ts';

export interface InstallOrder extends Omit<SettingsOrder, 'home' | 'statusLine'> {
  /** Null: the status line stays as it is. */
  readonly statusLine: StatusLineOrder | null;
  /** The file that records what was added. */
  readonly record: string;
}

export interface InstallPlan extends Omit<SettingsPlan, 'apply'> {
  readonly addition: Addition;
}

export function planInstall(order: InstallOrder): InstallPlan | Refusal {
  const path = settingsPath(order.scope, order.place);
  const text = readText(path);
  const settings = parseSettings(text ?? '');
  if (settings === null) return noSettings(path, text ?? '');
  if (!canRegister(settings))
    return refuse(
      'hooks-not-understood',
      `${path}: "hooks" is not an object of lists.`,
      'Fix it, then try again.',
    );
  const capNow = capSet(settings);
  const setsCap = order.cap && capNow === null;
  const hooked = withHooks(settings, registrationOf(order));
  const capped = setsCap ? withoutCap(hooked) : hooked;
  const next = order.statusLine === null ? capped : withStatusLine(capped, order.statusLine);
  const after = next === settings ? text : settingsText(next, text ?? '');
  const known = knownAddition(order.record, path, settings);
  const commands = planCommands(order, known);
  const excluded = planExclude(
    order,
    { path, isThere: text !== null, isOurs: known?.created ?? false },
    commands.files,
  );
  const edits = [...editOf('settings', path, text, after), ...commands.edits, ...excluded.edits];
  return {
    ok: true,
    settings: path,
    edits,
    notes: [...commands.notes, ...capNotes(order.cap, capNow, path)],
    addition: {
      created: known?.created ?? text === null,
      former: known === null ? text : hash(text ?? '') === known.written ? known.former : null,
      written: hash(after ?? ''),
      places: known?.places ?? placesIn(settings),
      hadEnv: known?.hadEnv ?? isRecord(settings['env']),
      cap: (known?.cap ?? false) || setsCap,
      ...statusLineAdded(order, known, settings),
      commands: commands.files,
      excluded: [...(known?.excluded ?? []), ...excluded.lines],
      folders: [...(known?.folders ?? []), ...missingFolders(edits)],
    },
  };
}

function statusLineAdded(
  { statusLine }: InstallOrder,
  known: Addition | null,
  settings: Settings,
): Pick<Addition, 'statusLine'> {
  const before = known?.statusLine;
  if (before !== undefined) return { statusLine: before };
  if (statusLine === null) return {};
  return { statusLine: hasStatusLine(settings) ? 'wrapped' : 'added' };
}

export function install(plan: InstallPlan, record: string): void {
  // Record first: if we fail half way, `uninstall` still knows what to look for.
  keepAddition(record, plan.settings, plan.addition);
  for (const edit of plan.edits) applyEdit(edit, 'with-backup');
}

export function noSettings(path: string, text: string): Refusal {
  return refuse(
    'settings-not-json',
    `${path} ${sayFault(text)}, so it was not touched.`,
    'Fix it (Claude Code ignores it as it is), then try again.',
  );
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
  readonly files: Addition['commands'];
  readonly notes: string[];
}

function planCommands(order: InstallOrder, known: Addition | null): CommandPlan {
  const folder = commandsFolder(order.scope, order.place);
  const plan = { edits: [] as Edit[], files: [] as { path: string; hash: string }[], notes: [] as string[] };
  for (const { file, content } of shippedCommands(order.plugin)) {
    const path = join(folder, file);
    const present = readText(path);
    const isOurs =
      present === content ||
      known?.commands.some((one) => one.path === path && one.hash === hash(present ?? ''));
    if (present !== null && isOurs !== true) {
      plan.notes.push(
        `${path} is a command of your own and stays as it is: /${file.replace(/\.md$/, '')} is not Da Capo's here.`,
      );
      continue;
    }
    plan.edits.push(...editOf('command', path, present, content));
    plan.files.push({ path, hash: hash(content) });
  }
  return plan;
}

/** The local scope is for this person alone, so its files should not show up in a commit. */
function planExclude(
  { scope, place, exclude }: InstallOrder,
  settings: { readonly path: string; readonly isThere: boolean; readonly isOurs: boolean },
  commands: Addition['commands'],
): { edits: Edit[]; lines: string[] } {
  if (scope !== 'local' || exclude === null) return { edits: [], lines: [] };
  const present = readText(exclude) ?? '';
  const absent = (paths: readonly string[]): string[] =>
    paths
      .map((path) => `**${path.slice(place.project.length).replaceAll('\\', '/')}`)
      .filter((pattern) => !present.split(/\r?\n/).includes(pattern));
  const lines = absent([settings.path, ...commands.map(({ path }) => path)]);
  // The backup stays after an uninstall, and so does its line.
  const lasting = settings.isThere && !settings.isOurs ? absent([backupOf(settings.path)]) : [];
  if (lines.length + lasting.length === 0) return { edits: [], lines };
  const begin = present === '' || present.endsWith('\n') ? present : `${present}\n`;
  const after = `${begin}${[...lasting, ...lines].join('\n')}\n`;
  return { edits: editOf('exclude', exclude, readText(exclude), after), lines };
}

function capNotes(wanted: boolean, now: string | null, path: string): string[] {
  if (!wanted || now === null || Number(now) <= 0) return [];
  return [`The cap on stops is ${now} by your own setting in ${path}, and stays so.`];
}

/**
 * `dacapo init` and `uninstall`: our hooks in a JSON file of the host, and what else it needs of us. First a
 * plan of edits, then the edits. What a host has of its own is in its `HooksFile`.
 */
import { readText } from '#base/files/read.ts';
import { hash } from '#base/hash.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { leadsOut, removeEmptyFolders } from '#base/files/paths.ts';
import type { Edit, Scope, SettingsOrder, SettingsPlan, Registration } from '../port/command-line.ts';
import type { SettingsPlace } from '../port/headless.ts';
import {
  applyEdit,
  editOf,
  missingFolders,
  backupOf,
  parseSettings,
  saySettingsFault,
  settingsText,
  type Settings,
  settingsIn,
} from './settings.ts';
import { additionTo, keepAddition, readAddition, recordIn, type Addition } from './record.ts';
import { canRegister, recognisedIn, withHooks, withoutRecognised } from './registration.ts';
import { basename, dirname } from 'node:path';
import { PLUGIN } from '#base/process/package.ts';

export type Installing = Pick<SettingsOrder, 'place' | 'plugin'>;

export interface HooksFile {
  readonly title: string;
  path(scope: Scope, place: SettingsPlace): string;
  /** Absent: there is no such file. What we add are files of our own, of which `path` is the first. */
  readonly registration?: (order: Installing) => Registration;
  commands?(order: SettingsOrder): readonly { readonly path: string; readonly content: string }[];
  readonly extra?: {
    add(
      settings: Settings,
      order: SettingsOrder,
    ): { readonly settings: Settings; readonly notes: readonly string[]; readonly added: Partial<Addition> };
    remove(settings: Settings, addition: Addition | null): Settings;
    /** We may have added something although no hook of ours is there any more. */
    isThere(settings: Settings, addition: Addition): boolean;
    /** What stays, because nobody knows whether it is ours. */
    stays(settings: Settings, path: string): readonly string[];
  };
}

/** The file as it is now. `text` is null: it is not there. */
interface PresentFile {
  readonly path: string;
  readonly text: string | null;
  readonly settings: Settings;
}

export function installing(file: HooksFile) {
  const planned = (plan: typeof planInstall) => (order: SettingsOrder) => {
    const path = file.path(order.scope, order.place);
    const text = file.registration === undefined ? null : readText(path);
    const settings = parseSettings(text ?? '');
    if (settings === null) return noSettings(path, text ?? '', file);
    return refuseOutside(order, plan(order, file, { path, text, settings }));
  };
  return {
    planInstall: planned(planInstall),
    planUninstall: planned(planUninstall),
    installed: (place: SettingsPlace): Registration =>
      file.registration?.({ place, plugin: PLUGIN }) ?? new Map(),
  };
}

/** A project may ship links. For the person's own scope a link is theirs. */
function refuseOutside({ scope, place }: SettingsOrder, plan: SettingsPlan | Refusal) {
  if (!plan.ok) return plan;
  const led = plan.edits.find(({ kind, path }) =>
    kind === 'exclude'
      ? leadsOut(path, dirname(dirname(path)))
      : scope !== 'user' && leadsOut(path, place.project),
  );
  if (led === undefined) return plan;
  const message = `${led.path} leads out of the project by a link, so nothing was written.`;
  return refuse('leads-out', message, 'Put a file or folder of its own there, or use --scope user.');
}

function planInstall(order: SettingsOrder, file: HooksFile, present: PresentFile): SettingsPlan | Refusal {
  const { path, text, settings } = present;
  const record = recordIn(order.home);
  const misfit = `${path}: "hooks" is not an object of lists.`;
  if (!canRegister(settings)) return refuse('hooks-not-understood', misfit, 'Fix it, then try again.');
  const hooked = withHooks(settings, file.registration?.(order) ?? new Map());
  const extra = file.extra?.add(hooked, order) ?? { settings: hooked, notes: [], added: {} };
  const after = extra.settings === settings ? text : settingsText(extra.settings, text ?? '');
  const known = knownAddition(record, path, settings, file);
  const commands = planCommands(order, file, known);
  if (file.registration === undefined && commands.files.length === 0)
    return refuse(
      'own-file',
      `${path} is a file of your own, so it was not touched.`,
      'Move it away, then try again.',
    );
  const added = additionTo(text, settings, known);
  // A file that init made, and that nobody has edited since, has nothing of the person.
  const isBackedUp = text !== null && !(known?.created === true && known.written === hash(text));
  const excluded = planExclude(order, path, isBackedUp, commands.files);
  const edits = [...editOf('settings', path, text, after), ...commands.edits, ...excluded.edits];
  const apply = () => {
    // Record first: if we fail half way, `uninstall` still knows what to look for.
    keepAddition(record, path, {
      ...extra.added,
      ...added,
      written: hash(after ?? ''),
      cap: added.cap || extra.added.cap === true,
      commands: commands.files.map((file) => ({ path: file.path, hash: hash(file.content) })),
      excluded: [...added.excluded, ...excluded.lines],
      folders: [...added.folders, ...missingFolders(edits)],
    });
    for (const edit of edits) applyEdit(edit, isBackedUp ? 'with-backup' : 'without-backup');
  };
  return { ok: true, settings: path, edits, notes: [...commands.notes, ...extra.notes], apply };
}

function noSettings(path: string, text: string, { title }: HooksFile): Refusal {
  // Some hosts read comments. We would lose them.
  const next = /^\s*\/[/*]/m.test(text)
    ? 'Take its comments out, then try again, or add the hooks by hand: --dry-run shows them for an ' +
      'empty file.'
    : `Fix it (${title} ignores it as it is), then try again.`;
  return refuse('settings-not-json', `${path} ${saySettingsFault(text)}, so it was not touched.`, next);
}

/** If the recorded additions are no longer in the settings, the record is out of date. */
function knownAddition(
  record: string,
  path: string,
  settings: Settings,
  { extra, registration }: HooksFile,
): Addition | null {
  const addition = readAddition(record, path);
  const isThere =
    addition !== null && (registration === undefined || extra?.isThere(settings, addition) === true);
  return isThere || recognisedIn(settings).length > 0 ? addition : null;
}

function readCommands(order: SettingsOrder, file: HooksFile, known: Addition | null) {
  return (file.commands?.(order) ?? []).map(({ path, content }) => {
    const present = readText(path);
    const added = known?.commands.find((one) => one.path === path);
    const isOurs = present === content || (present !== null && hash(present) === added?.hash);
    return { path, content, present, isOurs, wasAdded: added !== undefined };
  });
}

function planCommands(order: SettingsOrder, file: HooksFile, known: Addition | null) {
  const all = readCommands(order, file, known);
  const isFree = ({ present, isOurs }: (typeof all)[number]) => present === null || isOurs;
  return {
    edits: all
      .filter(isFree)
      .flatMap(({ path, present, content }) => editOf('command', path, present, content)),
    files: all.filter(isFree),
    notes: all
      .filter((one) => !isFree(one))
      .map(
        ({ path }) =>
          `${path} is a command of your own and was not changed: /${basename(path, '.md')} is not Da ` +
          `Capo's here.`,
      ),
  };
}

/** The local scope is for this person alone, so its files should not show up in a commit. */
function planExclude(
  { scope, place, exclude }: SettingsOrder,
  settings: string,
  isBackedUp: boolean,
  commands: readonly { readonly path: string }[],
): { edits: Edit[]; lines: string[] } {
  if (scope !== 'local' || exclude === null) return { edits: [], lines: [] };
  const present = readText(exclude) ?? '';
  const absent = (paths: readonly string[]): string[] =>
    paths
      .map((path) => `**${path.slice(place.project.length).replaceAll('\\', '/')}`)
      .filter((pattern) => !present.split(/\r?\n/).includes(pattern));
  const lines = absent([...new Set([settings, ...commands.map(({ path }) => path)])]);
  // The backup stays after an uninstall, and so does its line.
  const lasting = isBackedUp ? absent([backupOf(settings)]) : [];
  if (lines.length + lasting.length === 0) return { edits: [], lines };
  const begin = present === '' || present.endsWith('\n') ? present : `${present}\n`;
  const after = `${begin}${[...lasting, ...lines].join('\n')}\n`;
  return { edits: editOf('exclude', exclude, readText(exclude), after), lines };
}

/** Removes what `init` added, even if a person has edited the file since. */
function planUninstall(order: SettingsOrder, file: HooksFile, present: PresentFile): SettingsPlan {
  const { path, text, settings } = present;
  const record = recordIn(order.home);
  const addition = readAddition(record, path);
  const after = text === null ? null : textWithout(text, settings, addition, file);
  const commands = commandsToRemove(order, file, addition);
  const isUnknown = addition === null && recognisedIn(settings).length > 0;
  const stays = isUnknown ? (file.extra?.stays(settings, path) ?? []) : [];
  const edits = [
    ...editOf('settings', path, text, after),
    ...commands.edits,
    ...linesToRemove(order, addition),
  ];
  const apply = () => {
    for (const edit of edits) applyEdit(edit, 'without-backup');
    removeEmptyFolders(addition?.folders ?? []);
    keepAddition(record, path, null);
  };
  return { ok: true, settings: path, edits, notes: [...commands.notes, ...stays], apply };
}

/**
 * If the file is unchanged since `init`: the former file, byte for byte. If edited: the edited file without
 * our parts.
 */
function textWithout(
  text: string,
  settings: Settings,
  addition: Addition | null,
  { extra }: HooksFile,
): string | null {
  const untouched = addition !== null && hash(text) === addition.written;
  if (untouched && addition.created) return null;
  if (untouched && addition.former !== null) return addition.former;
  const unhooked = withoutRecognised(settings, addition?.places ?? []);
  const rest = extra?.remove(unhooked, addition) ?? unhooked;
  if (rest === settings) return text;
  return addition?.created === true && Object.keys(rest).length === 0 ? null : settingsText(rest, text);
}

function commandsToRemove(order: SettingsOrder, file: HooksFile, addition: Addition | null) {
  const sharer = sharerOf(order, file);
  const stay = `The commands stay: ${sharer} has Da Capo's hooks as well, and shares them.`;
  if (sharer !== null) return { edits: [], notes: [stay] };
  const all = readCommands(order, file, addition).filter(({ present }) => present !== null);
  return {
    edits: all
      .filter(({ isOurs }) => isOurs)
      .flatMap(({ path, present }) => editOf('command', path, present, null)),
    notes: all
      .filter(({ isOurs, wasAdded }) => wasAdded && !isOurs)
      .map(({ path }) => `${path} was edited since, so it was kept.`),
  };
}

/** The project's and the local settings share one folder of commands. */
function sharerOf({ scope, place }: SettingsOrder, file: HooksFile): string | null {
  if (scope === 'user' || file.commands === undefined) return null;
  const path = file.path(scope === 'local' ? 'project' : 'local', place);
  return recognisedIn(settingsIn(path) ?? {}).length > 0 ? path : null;
}

function linesToRemove({ exclude }: SettingsOrder, addition: Addition | null): Edit[] {
  const present = exclude === null ? null : readText(exclude);
  if (exclude === null || present === null || addition === null) return [];
  const lines = present.split('\n').filter((line) => !addition.excluded.includes(line));
  return editOf('exclude', exclude, present, lines.join('\n'));
}

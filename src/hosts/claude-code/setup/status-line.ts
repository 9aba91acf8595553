/**
 * Puts Da Capo's line in front of the person's own in Claude Code's status bar, and removes it again. Pure.
 */
import { isRecord } from '#base/shape.ts';
import { shellQuoted, shellUnquoted } from '#base/words/shell-quote.ts';
import type { Layer } from './layers.ts';
import type { Settings } from '#hosts/setup/settings.ts';

const KEY = 'statusLine';
/**
 * The host runs the command when the conversation moves. A loop also ends or is paused from elsewhere, and
 * its clock runs on, so we ask for a run every few seconds as well. Hosts that don't know this setting ignore
 * it.
 */
const REFRESH_SECONDS = 5;
/** `node '/…/hook.cjs' statusline`, followed by the person's own command if there was one. */
const OURS = /^node '(?<program>(?:[^']|'\\'')*hook\.cjs)' statusline(?: --own '(?<own>(?:[^']|'\\'')*)')?$/;

/** `own`: the command of the person's line; null: there was none. */
export function ourStatusLine(value: unknown): { program: string; own: string | null } | null {
  const found = OURS.exec(commandOf(value) ?? '')?.groups;
  if (found === undefined) return null;
  const { program = '', own } = found;
  return { program: shellUnquoted(program), own: own === undefined ? null : shellUnquoted(own) };
}

/** Exactly the line that `dacapo init` of this installation adds where there was none. */
export function isOwnStatusLine(value: unknown, program: string): boolean {
  if (!isRecord(value)) return false;
  const { type, command, refreshInterval: _, ...more } = value;
  const isOurs = type === 'command' && command === lineOf(program, null);
  return isOurs && Object.keys(more).length === 0;
}

function lineOf(program: string, own: string | null): string {
  return `node ${shellQuoted(program)} statusline${own === null ? '' : ` --own ${shellQuoted(own)}`}`;
}

/** The strongest layer decides what the host shows. */
export function shownStatusLine(layers: readonly Layer[]): unknown {
  return layers.findLast(({ settings }) => isRecord(settings[KEY]))?.settings[KEY];
}

/** `shown`: the status line that the host shows now, from any of its settings. */
export function withStatusLine(settings: Settings, program: string, shown: unknown): Settings {
  const before = settings[KEY] ?? shown;
  const ours = ourStatusLine(before);
  const own = ours === null ? commandOf(before) : ours.own;
  const command = lineOf(program, own);
  const now = settings[KEY];
  if (isRecord(now) && commandOf(now) === command && 'refreshInterval' in now) return settings;
  const given = isRecord(before) ? before : {};
  return { ...settings, [KEY]: { refreshInterval: REFRESH_SECONDS, ...given, type: 'command', command } };
}

/** `wasThere`: these settings had a status line of their own; null: unknown. */
export function withoutStatusLine(settings: Settings, wasThere: boolean | null): Settings {
  const ours = ourStatusLine(settings[KEY]);
  if (ours === null) return settings;
  const { [KEY]: line, ...rest } = settings;
  if (ours.own === null || wasThere === false) return rest;
  const { refreshInterval: every, ...theirs } = isRecord(line) ? line : {};
  const kept = every === undefined || every === REFRESH_SECONDS ? {} : { refreshInterval: every };
  return { ...settings, [KEY]: { ...theirs, ...kept, command: ours.own } };
}

export function hasStatusLine(settings: Settings): boolean {
  return settings[KEY] !== undefined;
}

function commandOf(value: unknown): string | null {
  return isRecord(value) && typeof value['command'] === 'string' ? value['command'] : null;
}

/**
 * What `init` has added, and where. `uninstall` removes that and nothing else. It is one file in Da Capo's
 * home, so that no project contains it. Without it, `uninstall` still recognises our hooks and commands, and
 * leaves everything else.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hash } from '#base/hash.ts';
import { placesIn } from './registration.ts';
import { replaceSettings, settingsText, type Settings } from './settings.ts';
import { readAs, flag, isRecord, list, maybe, oneOf, orNull, record, text, type Infer } from '#base/shape.ts';

const addition = record({
  created: flag,
  /** The former file, byte for byte; null if we can't restore it whole. */
  former: orNull(text),
  /** The hash of what we wrote: if it still matches, the file has not been edited since. */
  written: text,
  /** Parts of `hooks` that were there before, and stay even if empty. */
  places: list(text),
  hadEnv: flag,
  /** The cap was set by `init`, not by the person. */
  cap: flag,
  /** There was a status line in this file before ours was put in front of it; absent: `init` has set none. */
  statusLine: maybe(oneOf('added', 'wrapped')),
  commands: list(record({ path: text, hash: text })),
  excluded: list(text),
  /** Folders that were not there before, the outermost first. */
  folders: list(text),
});
export type Addition = Infer<typeof addition>;

type Additions = Readonly<Record<string, Addition>>;

export function recordIn(home: string): string {
  return join(home, 'installed.json');
}

/**
 * What is added to a file with this text. `known`: what was recorded before; null: nothing was added so far.
 */
export function additionTo(text: string | null, settings: Settings, known: Addition | null): Addition {
  const none = { written: '', cap: false, commands: [], excluded: [], folders: [] };
  if (known !== null) return { ...known, former: hash(text ?? '') === known.written ? known.former : null };
  const [places, hadEnv] = [placesIn(settings), isRecord(settings['env'])];
  return { ...none, created: text === null, former: text, places, hadEnv };
}

export function readAddition(file: string, settings: string): Addition | null {
  return readAll(file)[settings] ?? null;
}

export function keepAddition(file: string, settings: string, value: Addition | null): void {
  const { [settings]: _, ...others } = readAll(file);
  const all: Additions = value === null ? others : { ...others, [settings]: value };
  if (Object.keys(all).length === 0) return rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceSettings(file, settingsText(all, ''), 0o600);
}

function readAll(file: string): Additions {
  const value = readAs(isRecord, () => readFileSync(file, 'utf8')) ?? {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, Addition] => addition(entry[1])),
  );
}

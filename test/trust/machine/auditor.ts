/**
 * Checks after every step of a schedule what Da Capo promises of one machine. It reads the journals by itself, and
 * compares them with what really happened: who was told what, and which passes ran.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '#base/hash.ts';
import { attempt, isRecord } from '#base/shape.ts';
import { fold } from '#law/fold/index.ts';
import { readEvent } from '#law/record/events.ts';
import type { Loop } from '#law/loop.ts';
import { homeAt } from '#store/file/home.ts';
import { openLoop } from '#store/file/open-loop.ts';
import { isEnded, Ledger } from './ledger.ts';

/** A promise that was broken. */
export class Broken extends Error {
  readonly rule: string;
  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

interface Record {
  bytes: Buffer;
  readAs: number;
  ledger: Ledger;
}

/** What an agent said at a stop, and how often it was sent on for that. */
interface StopSaid {
  readonly message: string;
  goesOn: number;
}

export class Auditor {
  readonly records = new Map<string, Record>();
  /** Loops that a person has removed after they had ended. */
  readonly pruned = new Set<string>();
  /** By the hash of what the agent said. */
  readonly stops = new Map<string, StopSaid>();
  /** What a person wrote into files of the project. */
  readonly written = new Set<string>();
  /** A person has edited or deleted a view. */
  hasTouchedView = false;
  #hasBeenCut = false;
  readonly #root: string;
  readonly #home: string;
  #judgedUpTo = new Map<string, number>();
  checks = 0;

  constructor(root: string, home: string) {
    this.#root = root;
    this.#home = home;
  }

  says(message: string): void {
    this.stops.set(hash(message), { message, goesOn: 0 });
  }

  ledger(loop: string): Ledger {
    const record = this.records.get(loop);
    if (record === undefined) throw new Broken('a loop that was told of is there', loop);
    return record.ledger;
  }

  /** Reads what the journals have more than at the last look. */
  look(): void {
    this.checks++;
    for (const loop of namesIn(join(this.#home, 'loops'))) this.#read(loop);
    for (const [loop, { ledger }] of this.records) {
      const isThere = namesIn(join(this.#home, 'loops', loop)).includes('journal.jsonl');
      if (isThere || this.pruned.has(loop)) continue;
      // Whatever is pruned, a start that was killed before its first whole line goes, too.
      const hasBegun = ledger.lines.length > 0;
      if (!this.isPruning(hasBegun ? loop : null)) throw new Broken('a journal is never removed', loop);
      if (hasBegun && !ledger.hasEnded())
        throw new Broken('a loop that goes on is not pruned', `${loop} is ${ledger.status}`);
      this.pruned.add(loop);
      // The copies of what a person wrote go with the record that they are in.
      for (const text of this.#missing()) this.written.delete(text);
    }
  }

  /** Set by the schedule: somebody prunes that loop, or any where it is null. */
  isPruning: (loop: string | null) => boolean = () => false;

  #read(loop: string): void {
    const path = join(this.#home, 'loops', loop, 'journal.jsonl');
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined || this.pruned.has(loop)) return;
    const known = this.records.get(loop);
    if (known?.bytes.length === size) return;
    const bytes = readFileSync(path);
    const record = known ?? { bytes: Buffer.alloc(0), readAs: 0, ledger: new Ledger() };
    const { bytes: before, readAs } = record;
    if (!bytes.subarray(0, before.length).equals(before))
      throw new Broken('a journal only grows', `${loop} was ${before.length} bytes and is ${bytes.length}`);
    record.bytes = bytes;
    this.records.set(loop, record);
    const text = bytes.subarray(readAs).toString('utf8');
    const whole = text.lastIndexOf('\n') + 1;
    record.readAs = readAs + Buffer.byteLength(text.slice(0, whole));
    for (const line of wholeLines(text.slice(0, whole))) this.#add(loop, record.ledger, line);
    this.#judge(loop, record.ledger);
  }

  #add(loop: string, ledger: Ledger, line: string): void {
    try {
      ledger.add(line);
    } catch (error) {
      throw new Broken('a journal can be read', `${loop}: ${String(error)}`);
    }
    // No agent of a schedule writes a file, and what Da Capo writes is none that a host runs.
    if (ledger.lines.at(-1)?.type === 'planted') throw new Broken('nobody has planted a file', line);
    if (this.#isNobodys(ledger)) throw new Broken('nobody edits a view but a person', line);
  }

  /** What Da Capo itself has written into a project, or a power cut has left of it, is no word of a person. */
  #isNobodys({ lines, snapshots }: Ledger): boolean {
    const line = lines.at(-1);
    if (line === undefined || this.hasTouchedView || isEnded(snapshots.at(-2)?.status ?? 'pending'))
      return false;
    const isCancel = line.type === 'cancelled' && line['by'] === 'view';
    return (
      isCancel ||
      (line.type === 'aborted' && line['why'] === 'view') ||
      (line.type === 'amended' && line['by'] === 'view')
    );
  }

  #judge(loop: string, ledger: Ledger): void {
    const from = this.#judgedUpTo.get(loop) ?? 0;
    this.#judgedUpTo.set(loop, ledger.judged.length);
    for (const [k, one] of ledger.judged.entries()) {
      if (k < from) continue;
      const { words, is, passes, limit, why } = one;
      const said = this.stops.get(words)?.message ?? words;
      // One that waits for a check is judged again when the check is looked at again.
      const twin = ledger.judged.slice(0, k).find((other) => other.words === words && other.is !== 'allow');
      if (twin !== undefined)
        throw new Broken('a stop is judged once', `${loop}: ${said}, as stop ${twin.n} and stop ${one.n}`);
      const isOver = limit !== null && passes >= limit;
      if (is === 'continue' && isOver)
        throw new Broken('N iterations are N passes', `${loop} goes on after ${passes} of ${limit}`);
      if (why === 'iterations' && !isOver)
        throw new Broken('N iterations are N passes', `${loop} ends after ${passes} of ${limit}`);
    }
  }

  /** A session was told to go on after this message. */
  wentOn(message: string): void {
    const said = this.stops.get(hash(message));
    if (said === undefined) throw new Error(`nobody said ${message}`);
    if (++said.goesOn > 1) throw new Broken('a session goes on once', message);
    const verdicts = this.#verdictsOn(message).map(({ is }) => is);
    if (!verdicts.includes('continue'))
      throw new Broken(
        'who goes on is told so by the journal',
        `${message}: ${verdicts.join(', ') || 'no verdict'}`,
      );
  }

  isAbout({ words }: { readonly words: string }, message: string): boolean {
    return words === hash(message);
  }

  #verdictsOn(message: string) {
    const words = hash(message);
    return [...this.records.values()].flatMap(({ ledger }) =>
      ledger.judged.filter((one) => one.words === words),
    );
  }

  isJudged(message: string): boolean {
    return this.#verdictsOn(message).length > 0;
  }

  linesWith(loop: string, type: string, text: string): number {
    return this.ledger(loop).lines.filter((line) => line.type === type && JSON.stringify(line).includes(text))
      .length;
  }

  /** The product's own reading of each journal, with its cache and without, and ours. */
  compare(): void {
    for (const [loop, { bytes, ledger }] of this.records) {
      // A power cut may leave a start that nobody was told of without its first line.
      if (this.pruned.has(loop) || ledger.lines.length === 0) continue;
      const open = openLoop(homeAt(this.#home), loop);
      if (open === null) throw new Broken('a journal can be read', loop);
      const [cached, broken] = [open.look(), open.broken()];
      open.close();
      if (broken !== null) throw new Broken('a journal can be read', `${loop}: ${broken}`);
      const read = foldOf(bytes);
      if (JSON.stringify(cached) !== JSON.stringify(read))
        throw new Broken('the cache never contradicts the journal', `${loop}: ${differences(cached, read)}`);
      const theirs = { status: cached.status.is, passes: cached.frame.passes, stops: cached.stops };
      this.isAsSeen(loop, theirs, ledger.snapshots.length - 1);
    }
  }

  /** What somebody saw has to be what the journal said at one moment since then. */
  isAsSeen(loop: string, seen: { status: string; passes: number; stops: number }, since: number): void {
    const { snapshots } = this.ledger(loop);
    const fits = snapshots
      .slice(Math.max(0, since))
      .some(
        ({ status, passes, stops }) =>
          passes === seen.passes && stops === seen.stops && isEnded(status) === isEnded(seen.status),
      );
    if (fits) return;
    const ours = JSON.stringify(snapshots.slice(Math.max(0, since)));
    throw new Broken(
      'nobody sees what the journal does not say',
      `${loop}: ${JSON.stringify(seen)}, ${ours}`,
    );
  }

  /** A text of a person is in the project, in the evidence or in a record. */
  keepsWhatPeopleWrote(): void {
    const [text] = this.#missing();
    if (text !== undefined) throw new Broken('what a person wrote is never deleted without a copy', text);
  }

  /**
   * All loops have ended, and a prune has tidied up: of ours nothing is left. What a power cut has torn looks like a
   * person's text, so it stays, and `dacapo doctor` names it.
   */
  leavesNothing(project: string): void {
    const left = namesIn(join(project, '.claude'));
    if (left.length > 0 && !this.hasTouchedView && !this.#hasBeenCut)
      throw new Broken('nothing of ours stays in a project', left.join(', '));
  }

  #missing(): readonly string[] {
    if (this.written.size === 0) return [];
    const texts = textsBelow(this.#root);
    return [...this.written].filter((text) => !texts.some((one) => one.includes(text)));
  }

  /** After a power cut: what was told is still there, and what is there is the beginning from now on. */
  afterCut(promised: ReadonlyMap<string, number>): void {
    this.#hasBeenCut = true;
    const before = new Map(this.records);
    this.records.clear();
    this.#judgedUpTo = new Map();
    for (const [loop, upTo] of promised) {
      if (this.pruned.has(loop)) continue;
      const had = before.get(loop)?.bytes.subarray(0, upTo);
      const path = join(this.#home, 'loops', loop, 'journal.jsonl');
      const has = statSync(path, { throwIfNoEntry: false }) === undefined ? null : readFileSync(path);
      if (had !== undefined && (has === null || !has.subarray(0, upTo).equals(had)))
        throw new Broken('what was told survives a power cut', `${loop}: ${upTo} bytes, left ${has?.length}`);
    }
  }
}

/** An event is newline, text, newline. A line that an event follows at once was torn, if only by its newline. */
function wholeLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.filter((line, k) => {
    const isWhole = lines[k + 1] === '' || k === lines.length - 1;
    return line !== '' && (isWhole || attempt(() => isRecord(JSON.parse(line)), false));
  });
}

function foldOf(bytes: Buffer): Loop | null {
  let loop: Loop | null = null;
  const text = bytes.toString('utf8');
  for (const line of wholeLines(text.slice(0, text.lastIndexOf('\n') + 1))) {
    const read = readEvent(JSON.parse(line));
    if (read.is === 'event') loop = fold(loop, read.event);
  }
  return loop;
}

function differences(a: object | null, b: object | null): string {
  const keys = Object.keys({ ...a, ...b });
  const of = (from: object | null, key: string) =>
    JSON.stringify(Object.entries(from ?? {}).find(([k]) => k === key));
  return keys
    .filter((key) => of(a, key) !== of(b, key))
    .map((key) => `${of(a, key)} and ${of(b, key)}`)
    .join('; ')
    .slice(0, 600);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

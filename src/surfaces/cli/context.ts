/** What a command works with: the project around the current directory, the loops there, and the runtime. */
import type { AdvisedCommand, Refused } from '#telling/advice.ts';
import { opendirSync } from 'node:fs';
import { homedir } from 'node:os';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Loop } from '#law/loop.ts';
import type { Actor } from '#law/record/events.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import { codeOf } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { realPath } from '#base/files/paths.ts';
import type { SettingsPlace } from '#hosts/port/headless.ts';
import { findNewest, loopsToActOn, refuseUnclear, type Choice, type FoundLoop } from '#engine/look/find.ts';
import { loopsUnder, unreadLoops, type UnreadLoop } from '#engine/look/loops.ts';
import { LETTING_GO } from '#engine/refusal-codes.ts';
import { actorOf } from '#engine/trust/people-only.ts';
import { RUNNER, SENDER } from '#base/process/package.ts';
import { processRuntime, userSink } from '#engine/process-runtime.ts';
import type { Sink } from '#engine/notices/sink.ts';
import { homeAt } from '#store/file/home.ts';
import type { ProofListener, Runtime } from '#store/runtime.ts';
import { sayViewError } from '#telling/person/fault.ts';
import { sayRedChecks } from '#telling/person/red-check.ts';
import { statusOf } from '#telling/loop-status.ts';
import { enclosingProject, placeNow } from './enclosing-project.ts';
import { fail, failFor, printNote, reply, type Line } from './terminal/terminal.ts';

/**
 * The folder of a new loop. The host names its project by the directory it is started in, so we do the same.
 */
export function here(): string {
  return realPath(process.cwd());
}

/** A folder outside any project may contain several projects with loops. */
export function isElsewhere({ project }: Loop): boolean {
  return enclosingProject() === null && project !== here();
}

export function projectRoot(): string {
  return enclosingProject() ?? placeNow();
}

export function placeOf(project: string): SettingsPlace {
  return { project, env: process.env, platform: process.platform };
}

export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  if (near === '') return '.';
  return near.startsWith('..') ? path : near;
}

/**
 * With `~` for the home folder, as a shell reads it. A path with other characters may need quotes, where `~`
 * is not a folder.
 */
export function shortPath(path: string): string {
  const near = relative(homedir(), path);
  return near === '' || near.startsWith('..') || !/^[\w./@+-]+$/.test(near) ? path : `~/${near}`;
}

export function cliRuntime(): Runtime {
  const viewErrors = openViewErrors();
  viewErrors.tellTo((text) => printNote(`Da Capo: ${text}`));
  return processRuntime({ env: process.env, runner: RUNNER, sender: SENDER, onViewError: viewErrors.hear });
}

export function cliSink(): Sink {
  return userSink(cliRuntime(), SENDER);
}

export function actor(): Actor {
  return actorOf(process.env);
}

/** For a start: says that the checks run once before the first iteration, since that may take a while. */
export function sayingChecks(runtime: Runtime): Runtime {
  const proving: ProofListener = (check, outcome) => {
    if (outcome === null) printNote(`Da Capo: running ${check} once before the first iteration …`);
  };
  return { ...runtime, proving };
}

/** Why each check fails at the start: the person sees whether that is the failure they mean. */
export function noteRedChecks(proofs: readonly CheckProof[], folder: string): void {
  const lines = sayRedChecks(proofs, 'Da Capo: ', folder);
  if (lines.length > 0) printNote(lines.join('\n'));
}

export type ViewErrors = ReturnType<typeof openViewErrors>;

/**
 * Views that can't be written are reported once per cause. What comes before a listener is set is kept for
 * it.
 */
export function openViewErrors() {
  const told = new Set<string>();
  const waiting: string[] = [];
  let tell = (text: string): unknown => waiting.push(text);
  return {
    hear: (what: string, why: unknown) => {
      const text = sayViewError(what, why);
      if (told.has(text)) return;
      told.add(text);
      tell(text);
    },
    tellTo: (listener: (text: string) => void) => {
      tell = listener;
      for (const text of waiting.splice(0)) listener(text);
    },
  };
}

/** Loops that have not ended come first, then the newest. */
export function findLoops(everywhere: boolean, runtime: Runtime): Loop[] {
  return loopsUnder(everywhere ? null : projectRoot(), runtime);
}

/** Says why the loops can't be read; null if they can, or if there are none yet. */
export function failUnreadable({ store }: Runtime): number | null {
  const { loops } = homeAt(store.place());
  try {
    // Not listed: that takes a while where there are many loops.
    opendirSync(loops).closeSync();
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return null;
    return fail(
      `${loops} can't be read (${code}).`,
      'fix its owner or permissions, or set DACAPO_HOME to another folder; dacapo doctor finds the cause.',
    );
  }
}

/**
 * A number: the exit code, after the person was told that there is no such loop, or which loops could be
 * meant.
 */
type LoopOrExit = Loop | number;

/** For read-only commands. Without an id, picks the loop that changed last. */
export function pickNewest(
  wanted: string | undefined,
  command: AdvisedCommand,
  runtime: Runtime,
): LoopOrExit {
  return theOne(findNewest(choiceOf(wanted), runtime), command);
}

/** For commands that act. Outside of any project it does not pick a loop of a project below. */
export function pickNewestOwn(
  wanted: string | undefined,
  command: AdvisedCommand,
  runtime: Runtime,
): LoopOrExit {
  if (wanted !== undefined) return pickNewest(wanted, command, runtime);
  const { own, below } = loopsToActOn(choiceOf(wanted), runtime);
  return own[0] ?? theOne(below.length > 0 ? { is: 'below', loops: below } : { is: 'none' }, command);
}

export function choiceOf(id: string | undefined): Choice {
  return { id, root: projectRoot(), isOutside: enclosingProject() === null };
}

function theOne(found: FoundLoop, command: AdvisedCommand): LoopOrExit {
  if (found.is === 'one') return found.loop;
  return found.is === 'none' ? noLoops() : failFor(refuseUnclear(found, command));
}

export function noLoops(): number {
  return fail(
    'there is no loop in this project.',
    'dacapo list --all lists those of other projects; dacapo start "PROMPT" starts one.',
  );
}

const MAX_REASON_CHARS = 1_000;

/** Names each loop that can't be read, with the reason. */
export function sayUnreadLoops(unread: readonly UnreadLoop[]): string[] {
  return unread.map(({ id, unread: why }) => `Loop ${id} can't be read: ${oneLine(why, MAX_REASON_CHARS)}`);
}

/** Notes them. Returns true if there is one, so the list is incomplete. */
export function noteUnread(runtime: Runtime): boolean {
  const unread = unreadLoops(runtime);
  for (const line of sayUnreadLoops(unread)) printNote(line);
  return unread.length > 0;
}

export function sayResume({ id, status }: Loop): string[] {
  return status.is === 'interrupted' || status.is === 'paused' ? [`dacapo resume ${id} continues it.`] : [];
}

export function replyFor(loop: Loop, json: boolean, { now }: Runtime, ...lines: readonly Line[]): number {
  return reply(json, statusOf(loop, now()), ...lines);
}

const RELEASE_POLL_MS = 200;

/**
 * Tries again while the run of another terminal ends its agent. After a while that refusal no longer comes.
 */
export async function waitForRelease<T extends { readonly ok: true } | Refused>(act: () => T): Promise<T> {
  for (let first = true; ; first = false) {
    const result = act();
    if (result.ok || result.code !== LETTING_GO) return result;
    if (first) printNote('Da Capo: waiting until the run in the other terminal has ended its agent …');
    await sleep(RELEASE_POLL_MS);
  }
}

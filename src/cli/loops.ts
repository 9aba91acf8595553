/** The loops that a command is about: those of this project or everywhere, as they are shown, and the one that is meant. */
import { oneLine } from '../core/sanitize.ts';
import { hasEnded, topFrame, type Loop } from '../core/loop.ts';
import { nearest } from '../flags/did-you-mean.ts';
import { asShown } from '../text/report.ts';
import { sayStatus } from '../text/status.ts';
import { title } from '../text/to-person.ts';
import type { Runtime } from '../store/runtime.ts';
import { readPromptText } from '../store/prompts.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Stored } from '../store/store.ts';
import { liesIn, projectRoot } from './project.ts';
import { fail } from './terminal/terminal.ts';
import { ownerRuns } from './runtime.ts';

/** An excerpt of a prompt stands for the name of a loop that has none. */
const EXCERPT = 200;

/** Those that have not ended first, then the newest. */
export function findLoops(everywhere: boolean, world: Runtime): Loop[] {
  const root = projectRoot();
  return shownLoops(world)
    .filter(
      (loop) =>
        everywhere || liesIn(root, loop.project) || liesIn(root, loop.plan?.worktreeOf ?? loop.project),
    )
    .sort(
      (a, b) =>
        Number(hasEnded(a)) - Number(hasEnded(b)) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt),
    );
}

/** All of them, in every project. */
export function shownLoops(world: Runtime): Loop[] {
  return world.store
    .loops()
    .flatMap((stored) => (stored.loop === null ? [] : asKnown(stored.loop, stored.broken, world)));
}

/** Those that only a later version of Da Capo can read. */
export function unreadLoops(world: Runtime): Extract<Stored, { loop: null }>[] {
  return world.store.loops().filter((stored) => stored.loop === null);
}

/** One that is open, as it is shown. */
export function shown(open: OpenLoop, world: Runtime): Loop {
  return asKnown(open.loop(), open.broken(), world);
}

/** As it is, with what the record alone can't tell: whether its owner lives, and whether the record can be trusted. */
function asKnown(found: Loop, broken: string | null, world: Runtime): Loop {
  const loop = asShown(found, (owned) => ownerRuns(owned, world));
  if (broken === null || hasEnded(loop)) return loop;
  const detail = `its journal has a line that is no event: ${oneLine(broken, EXCERPT)}`;
  return { ...loop, status: { is: 'aborted', why: 'journal', detail, evidence: null } };
}

/** Null: there is no such loop. */
export function withLoop<T>(
  id: string,
  world: Runtime,
  act: (open: OpenLoop, world: Runtime) => T,
): T | null {
  const open = world.store.open(id);
  if (open === null) return null;
  try {
    return act(open, world);
  } finally {
    open.close();
  }
}

export type Picked =
  | { readonly is: 'one'; readonly loop: Loop }
  | { readonly is: 'none' }
  /** It was said already which loop is not known, or which of several could be meant. */
  | { readonly is: 'refused'; readonly exit: number };

/** By id, by the end of an id, or by name, in any project; without, the only candidate of this project. */
export function pickLoop(
  wanted: string | undefined,
  command: string,
  isCandidate: (loop: Loop) => boolean,
  world: Runtime,
): Picked {
  if (wanted !== undefined) return pickNamed(wanted, command, world);
  const [only, ...others] = findLoops(false, world).filter(isCandidate);
  if (only === undefined) return { is: 'none' };
  return others.length === 0 ? { is: 'one', loop: only } : refuseSeveral([only, ...others], command);
}

/** For a look only: without an id the one that matters most, which is the first. */
export function pickNewest(wanted: string | undefined, command: string, world: Runtime): Picked {
  if (wanted !== undefined) return pickNamed(wanted, command, world);
  const [loop] = findLoops(false, world);
  return loop === undefined ? { is: 'none' } : { is: 'one', loop };
}

function pickNamed(wanted: string, command: string, world: Runtime): Picked {
  const all = findLoops(true, world);
  const exact = all.find(({ id }) => id === wanted);
  if (exact !== undefined) return { is: 'one', loop: exact };
  const [loop, ...others] = all.filter(
    ({ id, name }) => name === wanted || (wanted !== '' && id.endsWith(wanted)),
  );
  if (loop === undefined) return refuseUnread(wanted, world) ?? refuseUnknown(wanted, all);
  return others.length === 0 ? { is: 'one', loop } : refuseSeveral([loop, ...others], command);
}

function refuseUnread(wanted: string, world: Runtime): Picked | null {
  const found = unreadLoops(world).find(({ id }) => wanted !== '' && id.endsWith(wanted));
  if (found === undefined) return null;
  return { is: 'refused', exit: fail(`loop ${found.id} can't be read.`, found.unread) };
}

function refuseUnknown(wanted: string, all: readonly Loop[]): Picked {
  const meant = nearest(
    wanted,
    all.map(({ id }) => id),
  );
  const next = [
    `dacapo list --all shows every loop${all.length === 0 ? '; there is none yet' : ''}.`,
    ...(meant === null ? [] : [`Is it ${meant}?`]),
  ].join(' ');
  return { is: 'refused', exit: fail(`there is no loop ${JSON.stringify(oneLine(wanted, 80))}.`, next) };
}

function refuseSeveral(loops: readonly Loop[], command: string): Picked {
  const lines = loops.map((loop) => `  ${title(loop)} ${sayStatus(loop)}`);
  const exit = fail(
    `${loops.length} loops could be meant:\n${lines.join('\n')}`,
    `name one: dacapo ${command} ${loops[0]?.id ?? 'ID'}`,
  );
  return { is: 'refused', exit };
}

export function noLoops(): number {
  return fail(
    'there is no loop in this project.',
    'dacapo list --all shows those of other projects; dacapo start "PROMPT" begins one.',
  );
}

/** What it is about: its name, else how its prompt begins. */
export function subject(loop: Loop, world: Runtime): string {
  if (loop.name !== null) return oneLine(loop.name, EXCERPT);
  const prompt = withLoop(loop.id, world, (open) => readPrompt(open)) ?? '';
  return oneLine(prompt.slice(0, 4 * EXCERPT), EXCERPT);
}

export function readPrompt(open: OpenLoop): string {
  try {
    return readPromptText(open.blobs, topFrame(open.loop()).prompt);
  } catch {
    return '';
  }
}

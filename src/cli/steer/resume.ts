/** `dacapo resume`: opens a loop again that is paused, interrupted or has ended undone, and says what carries it on. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import { hasEnded, isLive, type Loop } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { resumeLoop } from '../../operations/control.ts';
import { standingOf } from '../../proofs/stop-hooks/ask.ts';
import { readCheckpoints } from '../../proofs/stop-hooks/checkpoints.ts';
import { keepReady } from '../../store/file/ready.ts';
import { renderView } from '../../views/markdown/view.ts';
import type { World } from '../../store/runtime.ts';
import { sessionEntry } from '../../store/file/sessions.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { refusedToAgents } from './people-only.ts';
import { sayCheckpoint } from '../look/checkpoints.ts';
import { ownArguments } from '../setup/claude.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { pickLoop, pickNewest, readPrompt, shown, withLoop, type Picked } from '../loops.ts';
import { isAsked, readNewLimits, refuseUsedUp, type LimitFlags, type NewLimits } from './new-limits.ts';
import { here } from '../project.ts';
import { promptWord } from '../begin/ready.ts';
import { shellWord } from '../terminal/shell.ts';
import { fail, failFor, paint, say, sayJson } from '../terminal/terminal.ts';
import { accept, nothingToAccept } from './accept.ts';
import { cliWorld, hand, ownerLives } from '../runtime.ts';

export interface ResumeOptions {
  readonly id: string | undefined;
  readonly limits: LimitFlags;
  readonly checkpoint: string | undefined;
  /** Takes the protected files as they are now for what they are to be. */
  readonly acceptChanges: boolean;
  readonly json: boolean;
}

export async function runResume({
  id,
  limits: flags,
  checkpoint,
  acceptChanges,
  json,
}: ResumeOptions): Promise<number> {
  const limits = readNewLimits(flags);
  if (!limits.ok) return failFor(limits, EXIT.usage);
  const isForPeople = acceptChanges || isAsked(limits.value);
  const refused = isForPeople
    ? refusedToAgents(`dacapo resume ${acceptChanges ? '--accept-changes' : 'with new limits'}`)
    : null;
  if (refused !== null) return refused;
  const world = cliWorld();
  const picked = pick(id, world);
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none')
    return fail('no loop of this project can be resumed.', 'dacapo status shows how they stand.');
  const wishes = { limits: limits.value, checkpoint, acceptChanges };
  const done = withLoop(picked.loop.id, world, (open) => reopen(open, wishes, json, world));
  if (done === 'run') return goOnHere(picked.loop.id, json);
  return done ?? fail(`loop ${picked.loop.id} can't be read any more.`, 'dacapo list shows what is there.');
}

/** Without an id: the one that stands still; if there is none, the newest, if it ended undone. */
function pick(id: string | undefined, world: World): Picked {
  const standing = pickLoop(
    id,
    'resume',
    ({ status }) => status.is === 'paused' || status.is === 'interrupted',
    world,
  );
  return standing.is === 'none' ? pickNewest(undefined, 'resume', world) : standing;
}

/** A loop that was run in a terminal goes on in this one. */
async function goOnHere(id: string, json: boolean): Promise<number> {
  const { runRun } = await import('../begin/run.ts');
  return runRun(['--loop', id, ...(json ? ['--json'] : [])]);
}

interface Wishes {
  readonly limits: NewLimits;
  readonly checkpoint: string | undefined;
  readonly acceptChanges: boolean;
}

function reopen(open: OpenLoop, wishes: Wishes, json: boolean, world: World): number | 'run' {
  const { limits, checkpoint: wanted } = wishes;
  const before = shown(open);
  const refusal = refusalFor(open, before, limits, world);
  if (refusal !== null) return failFor(refusal);
  const checkpoint = wanted === undefined ? null : readCheckpoints(open.dir)[Number(wanted) - 1];
  if (checkpoint === undefined)
    return fail(
      `loop ${title(before)} has no checkpoint ${JSON.stringify(wanted)}.`,
      `dacapo checkpoints ${before.id} lists them.`,
    );
  const needless = wishes.acceptChanges ? nothingToAccept(before) : null;
  if (needless !== null) return failFor(needless);
  if (!isLive(before)) carryOn(open, limits, world);
  else if (limits.iterations !== undefined) amend(open, limits.iterations, world);
  // After it: what is written behind an ending is void.
  bound(open, limits, world);
  const accepted = wishes.acceptChanges ? accept(open, world) : [];
  if ('ok' in accepted) return failFor(accepted);
  if (checkpoint !== null) restore(open, checkpoint, world);
  if (waitsForTheHost(before) && !wishes.acceptChanges) return goOnThere(open, json, world);
  const loop = shown(open);
  // Where it is at work in another terminal, the wishes were all that there was to do.
  const isDone = isLive(before) && (wishes.acceptChanges || isAsked(limits));
  if (loop.driver === 'fresh' && !hasEnded(loop) && !isDone) {
    if (!json && accepted.length > 0) say(...accepted);
    return 'run';
  }
  if (json) sayJson(report(loop, world.now()));
  else say(...accepted, `Da Capo: loop ${title(loop)} ${sayStatus(loop)}.`, ...nextSteps(open, loop));
  return EXIT.ok;
}

/** In another terminal, which lives: for a service or a usage limit that may be well before its time. */
function waitsForTheHost({ status, driver }: Loop): boolean {
  return driver === 'fresh' && status.is === 'waiting' && (status.for === 'limit' || status.for === 'retry');
}

function goOnThere(open: OpenLoop, json: boolean, world: World): number {
  const { owner } = open.loop();
  const { session = null, process = null } = owner ?? {};
  const loop = resumeLoop(open, { by: hand(), session, process, prompt: null, iterations: null }, world);
  if (json) sayJson(report(loop, world.now()));
  else say(`Da Capo: loop ${title(loop)} waits no longer: it goes on at once, in the terminal that runs it.`);
  return EXIT.ok;
}

function carryOn(open: OpenLoop, { iterations }: NewLimits, world: World): void {
  const { owner, project, id, driver } = open.loop();
  resumeLoop(
    open,
    {
      by: hand(),
      session: owner?.session ?? null,
      process: processThatGoesOn(open.loop()),
      prompt: null,
      iterations: iterations ?? null,
    },
    world,
  );
  if (iterations === null) amend(open, null, world);
  if (owner === null && driver === 'hook') keepReady(world.home, project, readPrompt(open), id);
}

/** The one that had it, if its session is still open; else whichever opens the session next. */
function processThatGoesOn({ owner, status, boundAt }: Loop): number | null {
  const process = owner?.process ?? null;
  const left = status.is === 'interrupted' && status.why === 'session-end';
  return process !== null && !left && ownerLives(process, boundAt) ? process : null;
}

function restore(open: OpenLoop, checkpoint: ReturnType<typeof readCheckpoints>[number], world: World): void {
  const words = sayCheckpoint(checkpoint);
  open.write({ type: 'restored', at: world.now(), by: hand(), file: checkpoint.file, words });
  open.keep();
}

function amend(open: OpenLoop, limit: number | null, world: World): void {
  open.write({
    type: 'amended',
    at: world.now(),
    by: hand(),
    prompt: null,
    iterations: limit ?? 'unlimited',
  });
  renderView(open, world);
  open.keep();
}

function bound(open: OpenLoop, { timeMs, costUsd, tokens }: NewLimits, world: World): void {
  if ((timeMs ?? costUsd ?? tokens) === undefined) return;
  open.write({
    type: 'bounded',
    at: world.now(),
    by: hand(),
    timeMs: timeMs ?? null,
    costUsd: costUsd ?? null,
    tokens: tokens ?? null,
  });
  open.keep();
}

function refusalFor(open: OpenLoop, loop: Loop, limits: NewLimits, world: World): Refusal | null {
  const { status, id } = loop;
  const name = `loop ${title(loop)}`;
  if (status.is === 'completed')
    return refuse(
      'completed',
      `${name} is completed: there is nothing to go on with.`,
      `start a new one: ${beginning(loop)}`,
    );
  if (open.broken() !== null)
    return refuse(
      'broken',
      `${name} can't go on: ${sayStatus(loop)}.`,
      `its record is ${open.dir}; start a new loop.`,
    );
  const usedUp = refuseUsedUp(loop, name, limits, world.now());
  if (usedUp !== null) return usedUp;
  if (status.is === 'exhausted' && status.limit === 'items')
    return refuse(
      'used-up',
      `${name} has had as many items as it may, which can't be changed.`,
      `start a new one: ${beginning(loop)} --items FILE --max-items N`,
    );
  const standing = loop.config === null ? null : standingOf(world.home, loop.project, loop.config.file);
  if (standing !== null && standing.is !== 'trusted')
    return refuse(`config-${standing.is}`, `${standing.why}.`, `${standing.next}, and try again.`);
  const holder = loop.owner === null ? null : sessionEntry(world.home, loop.owner.session);
  const other = holder === null || holder.loop === id ? null : withLoop(holder.loop, world, shown);
  if (other !== null && !hasEnded(other))
    return refuse(
      'session-taken',
      `its session has another loop now: ${title(other)} ${sayStatus(other)}.`,
      `end that one first: dacapo cancel ${other.id}`,
    );
  return null;
}

function beginning({ driver }: Loop): string {
  return `dacapo ${driver === 'fresh' ? 'run' : 'start'} "PROMPT"`;
}

function nextSteps(open: OpenLoop, loop: Loop): string[] {
  const { owner, status } = loop;
  if (hasEnded(loop)) return [];
  if (owner === null)
    return [
      'It begins when a session gets its prompt first:',
      '',
      `  ${command(loop, [promptWord(readPrompt(open), null, open)])}`,
    ];
  if (status.is === 'running' || status.is === 'waiting') return [];
  if (owner.process !== null) return ['There, /resume-ralph or any other prompt carries it on.'];
  const extra = wasStartedHere(open) ? ownArguments().map(shellWord) : [];
  return [
    'Open its session again and type go on, or whatever you like:',
    '',
    `  ${command(loop, ['--resume', owner.session, ...extra])}`,
  ];
}

function command({ project }: Loop, words: readonly string[]): string {
  const folder = project === here() ? '' : `cd ${shellWord(project)} && `;
  return paint.bold(`${folder}claude ${words.join(' ')}`);
}

/** By `dacapo start`, which brings the plugin and the lifted cap for its session alone: they must come along again. */
function wasStartedHere(open: OpenLoop): boolean {
  const first = open.journal.read(0).events.find((event) => event.type === 'bound');
  return first?.how === 'start';
}

/** Hands an existing loop to a session that names it, or to a `dacapo run` in this terminal. */
import { hasEnded, isLive, type Loop } from '#law/loop.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { Sender } from '#hosts/port/arrival.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { ownerLives, isOwnedByProcess, type Runtime } from '#store/runtime.ts';
import { advise, type Advice, type Refused } from '#telling/advice.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { goOnOrCancel } from '#telling/person/to-person.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { refuseEnded, type Choice } from '../look/find.ts';
import { knownLoop, ownerRuns, type Opened } from '../look/loops.ts';
import { goesOn, openResolved, resolveLoop, type ResolvedLoop } from '../steer/resolve.ts';
import { refuseLettingGo, refuseNoFolder } from '../steer/resume.ts';
import { stopAwaitingPrompt, bind } from './bind.ts';

/** The caller closes `open`. It is null if the other delivery of this same command has taken up the loop. */
type ContinuedInSession = { readonly ok: true; readonly open: OpenLoop | null } | Refusal;

/** By its id, in a session: `dacapo run` handed the loop over, or its former session is gone. */
export function continueInSession(id: string, from: Sender, runtime: Runtime): ContinuedInSession {
  const open = runtime.store.open(id);
  if (open === null)
    return refuse('no-loop', `there is no loop ${oneLine(id, 80)}.`, '`dacapo list` shows them.');
  const before = open.loop();
  // If both the plugin and `init` are installed, the command is delivered twice.
  const again = isLive(before) && before.session.chain === from.prompt;
  const refusal = again ? null : whyNotHere(before, from, runtime);
  if (again || refusal !== null) {
    open.close();
    return refusal ?? { ok: true, open: null };
  }
  bind(open, from, { how: 'command', prompt: from.prompt }, runtime);
  if (before.status.is === 'pending') stopAwaitingPrompt(open, runtime);
  // This may end the loop: a person who deleted the view has cancelled it.
  showAndKeep(open, runtime);
  return { ok: true, open };
}

function whyNotHere(loop: Loop, from: Sender, runtime: Runtime): Refusal | null {
  const name = `loop ${title(loop)}`;
  if (hasEnded(loop))
    return refuse('ended', `${name} ${sayStatus(loop)}.`, `\`dacapo resume ${loop.id}\` reopens it.`);
  if (loop.project !== from.project)
    return refuse('elsewhere', `${name} belongs to another project: ${loop.project}.`, 'Take it up there.');
  if (
    isLive(loop) &&
    !isOwnedByProcess(loop.session.owner, from.process, runtime) &&
    ownerLives(loop, runtime)
  )
    return refuse(
      'held',
      `${name} is held by process ${loop.session.owner?.process}.`,
      `\`dacapo pause ${loop.id}\` asks it to release the loop.`,
    );
  const own = runtime.store.sessions.find(from.session);
  if (own !== null && own.loop !== loop.id)
    return refuse(
      'session-taken',
      `this session has loop ${own.loop} already.`,
      goOnOrCancel(null, from.commands),
    );
  return null;
}

/** For `dacapo run`. Without an id: a loop that is waiting to be run. The caller closes `open`. */
export function openToRun(choice: Choice, runtime: Runtime): Opened<Advice> {
  const opened = openResolved(resolveToRun(choice, runtime), { verb: 'run-loop' }, NONE_TO_RUN);
  const refusal = opened.ok ? whyNotRun(opened.open.loop(), runtime) : null;
  if (!opened.ok || refusal === null) return opened;
  // The run that ended it may have been killed before it took the view away.
  if (hasEnded(opened.open.loop())) showAndKeep(opened.open, runtime);
  opened.open.close();
  return refusal;
}

const NONE_TO_RUN = refuse(
  'none-to-run',
  'No loop of this project waits to be run.',
  advise`${{ verb: 'begin' }} starts one; ${{ verb: 'list' }} shows the existing ones.`,
);

export function loopToRun(choice: Choice, runtime: Runtime): Loop | null {
  const found = resolveToRun(choice, runtime);
  if (found.is !== 'one') return null;
  found.open.close();
  return knownLoop(found.open, runtime);
}

function resolveToRun(choice: Choice, runtime: Runtime): ResolvedLoop {
  const fits = (open: OpenLoop) => {
    const { driver, status } = knownLoop(open, runtime);
    return goesOn(open) && (driver === 'fresh' || status.is !== 'running');
  };
  return resolveLoop(choice, { fits }, runtime);
}

function whyNotRun(loop: Loop, runtime: Runtime): Refused | null {
  if (hasEnded(loop)) return refuseEnded(loop, runtime.now());
  const unready = refuseNoFolder(loop) ?? refuseLettingGo(loop, runtime);
  if (unready !== null) return unready;
  if (!isLive(loop) || !ownerRuns(loop, runtime)) return null;
  const who = loop.driver === 'fresh' ? 'another dacapo run' : 'its session';
  const why = `Loop ${title(loop)} is held by process ${loop.session.owner?.process} (${who}).`;
  return refuse(
    'held',
    why,
    advise`${{ verb: 'pause', loop: loop.id }} asks it to release the loop; then run it here.`,
  );
}

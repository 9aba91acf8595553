/** Routes every arrival to the code that hears it. */
import { SILENCE, type Answer, type Arrival, type Sender } from '#hosts/port/arrival.ts';
import { hearCommand } from './commands/command.ts';
import { hearLateStop, hearFault, hearSessionEnd, hearSessionStart } from './session.ts';
import { hearPrompt } from './prompt.ts';
import { hearStop } from './stop.ts';
import { hearTool } from './tool.ts';
import { leaveSign } from '../look/tool-session.ts';
import { withViewErrors, type ViewError } from './ending.ts';
import type { Runtime } from '#store/runtime.ts';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Lookup, SessionEntry } from '#store/store.ts';
import { readRegular } from '#base/files/read.ts';
import { namedIn } from '#evidence/views/markdown/format.ts';
import { STATE_FILE } from '#evidence/views/places.ts';

/**
 * `makeRuntime` is called for few arrivals: most sessions own no loop. `pass`: the pass of a driver in which
 * this happened. A host that chooses the id of its session may use a tool before the driver has read that id,
 * and a subagent may have a session that nobody knows: such a call belongs to the pass.
 */
export async function hearArrival(
  arrival: Arrival,
  lookup: Lookup,
  makeRuntime: () => Runtime,
  pass: string | null = null,
): Promise<Answer> {
  if (arrival.is === 'tool' && arrival.starts) leaveSign(arrival.from.session, makeRuntime());
  const known = lookup.sessions.find(arrival.from.session);
  const entry = known ?? (pass !== null && arrival.is === 'tool' ? lookup.sessions.find(pass) : null);
  if (concernsNoLoop(arrival, entry, lookup)) return SILENCE;
  const runtime = makeRuntime();
  const viewErrors: ViewError[] = [];
  const onViewError: Runtime['onViewError'] = (what, why) => viewErrors.push({ what, why });
  const answer = await route(arrival, { entry, pass }, { ...runtime, onViewError });
  return viewErrors.length === 0 ? answer : withViewErrors(answer, viewErrors, arrival, runtime);
}

interface Known {
  readonly entry: SessionEntry | null;
  readonly pass: string | null;
}

async function route(arrival: Arrival, { entry, pass }: Known, runtime: Runtime): Promise<Answer> {
  switch (arrival.is) {
    case 'stop':
      return (arrival.rest ? hearLateStop : hearStop)(arrival, runtime, entry);
    case 'tool':
      return hearTool(arrival, entry, pass, runtime);
    case 'prompt':
      return hearPrompt(arrival, runtime);
    case 'command':
      return hearCommand(arrival, runtime);
    case 'session-start':
      return hearSessionStart(arrival, runtime);
    case 'session-end':
      return hearSessionEnd(arrival, runtime);
    case 'fault':
      return hearFault(arrival, runtime);
  }
}

/** Each stop and prompt of a session without a loop passes here. It costs them one lookup. */
function concernsNoLoop(arrival: Arrival, entry: SessionEntry | null, lookup: Lookup): boolean {
  if (entry !== null) return false;
  switch (arrival.is) {
    case 'stop':
      return !mayBeBeside(arrival.from, lookup);
    case 'command':
      return false;
    case 'session-start':
      // After /clear the loop is still stored under the old session id.
      return arrival.source !== 'clear';
    case 'prompt':
      return !lookup.ready.any();
    case 'session-end':
    case 'fault':
    case 'tool':
      return true;
  }
}

/**
 * A state file in the project may still name a loop of a session without an entry: an entry is derived data,
 * and the journal says whose loop it is. False for nearly every session: there is no file, or it names the
 * loop of another session. That session's entry says so too, so this needs no journal.
 */
function mayBeBeside({ project, session }: Sender, { sessions }: Lookup): boolean {
  const file = join(project, STATE_FILE);
  // An open that fails takes Node longer than all else here.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return false;
  const found = readRegular(file);
  if (found.is !== 'content') return found.is === 'unreadable';
  const { loop, session: named } = namedIn(found.content);
  return loop === null || named === null || named === session || sessions.find(named)?.loop !== loop;
}

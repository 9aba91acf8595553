/** Makes a loop of what a person wrote by hand, or what another tool began. A copy is kept first. */
import { hasEnded } from '#law/loop.ts';
import type { Actor } from '#law/record/events.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { readStartFields } from '#input/arguments.ts';
import type { Sender } from '#hosts/port/arrival.ts';
import { realPath } from '#base/files/paths.ts';
import { treeNow } from '#evidence/proofs/tree-now.ts';
import { evidencePlace } from '#store/evidence.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { importLoop } from '#evidence/views/import.ts';
import type { Imported } from '#evidence/views/imported.ts';
import { findHandWritten, importHandWritten } from '#evidence/views/markdown/import.ts';
import { waitingStates } from '#evidence/views/waiting-states.ts';
import { refuseNoId, senderFor } from '../look/tool-session.ts';
import { loopById, loopsOf } from '../look/loops.ts';
import { cancelOne } from '../steer/control.ts';
import { refuseToAgents } from '../trust/people-only.ts';
import { unprepared } from './prepare.ts';
import { startLoop, type StartRefused, type Started } from './start.ts';

export interface AdoptOrder {
  readonly path: string;
  readonly called: string;
  /** The person named none, so the path is that of the usual state file. */
  readonly isUsual?: boolean;
  readonly here: string;
  /**
   * The session that will own the loop. Null: the session in the file, or else the first one that gets the
   * prompt.
   */
  readonly session: string | null;
  readonly promptFiles: readonly string[];
  readonly host: string;
  readonly reopen: (session: string) => string;
}

export async function adoptPath(order: AdoptOrder, runtime: Runtime) {
  const { called, host } = order;
  const refusal = refuseToAgents('dacapo adopt', runtime.env);
  if (refusal !== null) return refusal;
  const imported = importLoop(order.path, order.here, runtime);
  if (!imported.ok)
    return imported.code === 'not-there' && order.isUsual === true
      ? elseWaiting(imported, order.here, runtime)
      : imported;
  const outside = imported.outside?.find((file) => !order.promptFiles.map(realPath).includes(file));
  if (outside !== undefined)
    return refuse(
      'prompt-outside',
      `${called} has a prompt in ${outside}, which is outside the project. The text of that file ` +
        'would go to the model.',
      `look at it; then name it: dacapo adopt ${called} --prompt-file ${outside}`,
    );
  const known = refuseKnown(imported, called, runtime);
  if (known !== null) return known;
  const session = order.session ?? imported.session;
  const unnamed = refuseNoId(session, 'take the id that /status shows in the session.');
  if (unnamed !== null) return unnamed;
  const owner = session === null ? null : senderFor(session, { project: imported.project, host }, null);
  const { files = [called] } = imported;
  const notes = [...imported.notes, ...sessionNotes(imported, order)];
  const adopted = await adopt(imported, owner, host, runtime);
  if (adopted.is === 'started') return { ok: true as const, open: adopted.open, files, notes };
  const how = adopted.is === 'refused' ? `can't be adopted: ${adopted.why}` : 'was adopted already.';
  return refuse(
    'not-adopted',
    `${files.join(' and ')} ${how}`,
    'nothing was changed; dacapo status shows the loops of this project.',
  );
}

function elseWaiting(refusal: Refusal, here: string, runtime: Runtime): Refusal {
  const waiting = waitingStates(here, runtime, loopsOf(here, runtime));
  if (waiting.length === 0) return refusal;
  const [are, which] = waiting.length === 1 ? ['is', 'it'] : ['are', 'one'];
  const files = waiting.map(({ file }) => file).join(', ');
  const why = `${refusal.message.replace(/\.$/, '')}, but ${files} ${are}.`;
  return refuse('waits-elsewhere', why, `take ${which}: ${waiting.map((one) => one.command).join('  or  ')}`);
}

/** The session that a file names may have ended long ago. */
function sessionNotes({ session }: Imported, { session: chosen, reopen }: AdoptOrder): string[] {
  if (session === null || chosen !== null) return [];
  return [
    `It belongs to session ${session}: open that with ${reopen(session)}, or adopt it with --session ` +
      'ID for another.',
  ];
}

function refuseKnown({ known: id, isOurs }: Imported, called: string, runtime: Runtime): Refusal | null {
  const loop = id === null ? null : loopById(id, runtime);
  if (id === null || (loop === null && !isOurs)) return null;
  if (loop === null)
    return refuse(
      'unknown-loop',
      `${called} names loop ${id}, which is not known here.`,
      'take out its loop_id line to make a new loop of it.',
    );
  const [name, standing] = [`loop ${title(loop)}`, `(${sayStatus(loop)}).`];
  if (!hasEnded(loop))
    return refuse(
      'view-already',
      `${called} is the view of ${name} already ${standing}`,
      `dacapo status ${loop.id} shows it.`,
    );
  return refuse(
    'ended',
    `${called} belongs to ${name}, which has ended ${standing}`,
    `dacapo resume ${loop.id} reopens it; to make a new loop of the file, take out its loop_id line.`,
  );
}

type Adopted = Exclude<Started, StartRefused> | { readonly is: 'refused'; readonly why: string };

/**
 * Work that began elsewhere continues here, in the views that it has. What changes from now on is its work.
 */
export async function adopt(
  imported: Imported,
  owner: Sender | null,
  host: string,
  runtime: Runtime,
): Promise<Adopted> {
  const { project, imported: begun } = imported;
  const request = readStartFields(imported.prompt, imported.fields);
  if (!request.ok) return { is: 'refused', why: `${request.message} ${request.next}` };
  const { maxIterations } = request;
  if (maxIterations !== null && begun.passes >= maxIterations)
    return {
      is: 'refused',
      why: `it is at iteration ${begun.passes + 1} of ${maxIterations}: none is left. Raise max_iterations.`,
    };
  const by = { actor: 'view', from: owner, owns: 'adopt', view: true } as const;
  const order = { request, project, host, ...by, imported: begun };
  const nothing = unprepared(request);
  const baseline = { ...nothing.baseline, ...(await treeNow(project, null, runtime)) };
  const started = startLoop(order, runtime, { ...nothing, baseline });
  if (started.is !== 'refused') return started;
  // The caller puts the reason after a colon, so it ends without a period. The next step is to look at that
  // other loop.
  return { is: 'refused', why: started.message.replace(/\.$/, '') };
}

/** Ends a state file that nobody has begun. It becomes a loop first, to keep a copy. Null: there is none. */
export async function cancelWaiting(
  { project, host, prompt }: Pick<Sender, 'project' | 'host' | 'prompt'>,
  session: string | null,
  by: Actor,
  runtime: Runtime,
) {
  const found = findHandWritten(project, session);
  if (found === null) return null;
  const is = 'refused' as const;
  if (found.written.is === 'garbage') return { is, why: found.written.why };
  const adopted = await adopt(importHandWritten(found.written, found.file, project), null, host, runtime);
  if (adopted.is !== 'started')
    return { is, why: adopted.is === 'refused' ? adopted.why : 'it was adopted meanwhile' };
  const { open } = adopted;
  try {
    const loop = cancelOne(open, by, prompt, runtime) ?? open.loop();
    return { is: 'cancelled' as const, loop, kept: evidencePlace(open.blobs) };
  } finally {
    open.close();
  }
}

/**
 * The requests of a loop as files. A person answers by moving one. The next process that looks at the loop records
 * that as an event of an unknown hand; if the policy of the loop demands a person, the file goes back.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, type Loop, type Request } from '../../core/loop.ts';
import type { EventOf } from '../../core/record/events.ts';
import { NOTE_LIMIT, openRequestsOf, requestPrefix } from '../../core/waiting/requests.ts';
import { headOf } from '../../core/words/sanitize.ts';
import { refuseToLeave, namesIn } from '../../files/paths.ts';
import { readRegular, type FileReading } from '../../files/read.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { excludeRequests } from '../exclude.ts';
import { existsAt, makeViewFile, removeViewFile, replaceViewFile } from '../file.ts';
import { noteIn, renderAnswered, renderRequest } from './format.ts';
import { APPROVED, PENDING, REJECTED, requestFile, requestFolder } from '../places.ts';

/** File times are coarse on some systems. */
const COARSE_MS = 2_000;

/** Records what was answered by file, and what nobody answered in time. */
export function readRequests(open: OpenLoop, runtime: Runtime): void {
  for (const request of openRequestsOf(open.loop())) {
    // Before its file is there, nobody can have moved it.
    if (isShown(open, request)) readAnswer(open, request, runtime);
    if (Date.parse(request.expires) <= Date.parse(runtime.now()) && isRequestOpen(open.loop(), request))
      open.write({ type: 'expired', at: runtime.now(), id: request.id });
  }
}

function isShown({ blobs }: OpenLoop, request: Request): boolean {
  return blobs.read(blobOf(request)) !== null;
}

function blobOf({ id }: Request): string {
  return `requests/${id}.md`;
}

function isRequestOpen({ people: { requests } }: Loop, { id }: Request): boolean {
  return requests.some((one) => one.id === id && one.answer === null);
}

function readAnswer(open: OpenLoop, request: Request, runtime: Runtime): void {
  const loop = open.loop();
  const parent = requestFolder(loop);
  // If both are there, nobody can tell which is meant. A rejection does less harm.
  for (const [folder, answer] of [
    [REJECTED, 'rejected'],
    [APPROVED, 'approved'],
  ] as const) {
    const path = requestFile(parent, folder, request.id);
    const found = readRegular(path);
    if (found.is !== 'content' || !isMoved(found, request)) continue;
    if (loop.people.approvals?.policy === 'person') {
      runtime.log(
        `loop=${loop.id} request=${request.id}: a moved file is not an answer (--approval-policy person)`,
      );
      takeBack(path, requestFile(parent, PENDING, request.id));
      continue;
    }
    open.write({
      type: 'answered',
      at: runtime.now(),
      id: request.id,
      ...meaning(request, answer, found.content),
      by: 'file',
    });
    return;
  }
}

/** A moved file keeps the time at which we made it. One that was there before the request was planted. */
function isMoved({ modifiedMs }: Extract<FileReading, { is: 'content' }>, { at }: Request): boolean {
  return modifiedMs >= Date.parse(at) - COARSE_MS;
}

function meaning(
  { kind }: Request,
  answer: 'approved' | 'rejected',
  content: string,
): Pick<EventOf<'answered'>, 'answer' | 'note'> {
  const note = headOf(noteIn(content), NOTE_LIMIT);
  return { answer: kind === 'question' && answer === 'approved' && note !== '' ? 'text' : answer, note };
}

function takeBack(from: string, to: string): void {
  if (!existsAt(to)) renameSync(from, to);
}

/** Shows each open request once, and puts what is settled into the folder of its answer. */
export function showRequests(open: OpenLoop, runtime: Runtime): void {
  const loop = open.loop();
  if (loop.people.requested === 0) return;
  const parent = requestFolder(loop);
  for (const request of loop.people.requests) {
    try {
      if (request.answer === null) showOpen(open, parent, request);
      else showSettled(loop, parent, request);
    } catch (error) {
      runtime.log(`loop=${loop.id} request=${request.id}: ${String(error)}`);
      runtime.onViewError?.(requestFile(parent, PENDING, request.id), error);
    }
  }
  if (hasEnded(loop)) removePending(parent, loop);
}

/** A person may delete the file. Then it stays away, and the request can still be answered by command. */
function showOpen(open: OpenLoop, parent: string, request: Request): void {
  if (isShown(open, request)) return;
  const loop = open.loop();
  const content = renderRequest(loop, request);
  // The name is ours. What lies under it in an answer folder can't be an answer yet.
  for (const folder of [APPROVED, REJECTED]) {
    const planted = requestFile(parent, folder, request.id);
    if (existsAt(planted)) removeViewFile(planted);
  }
  open.blobs.write(blobOf(request), content);
  makeViewFile(requestFile(parent, PENDING, request.id), content, loop.project);
  // The folders are there from the start, so that a person can move the file.
  for (const folder of [APPROVED, REJECTED]) makeFolder(join(parent, folder), loop.project);
  excludeRequests(loop.project);
}

function makeFolder(folder: string, project: string): void {
  refuseToLeave(folder, project);
  mkdirSync(folder, { recursive: true });
}

function showSettled({ project }: Loop, parent: string, request: Request): void {
  const pending = requestFile(parent, PENDING, request.id);
  const to = requestFile(parent, isYes(request) ? APPROVED : REJECTED, request.id);
  const moved = readRegular(to);
  const found = moved.is === 'content' ? moved : readRegular(pending);
  if (found.is !== 'content' || !/^status: pending$/m.test(found.content)) {
    if (moved.is === 'content' && existsAt(pending)) removeViewFile(pending);
    return;
  }
  const content = renderAnswered(found.content, request);
  if (moved.is === 'content') replaceViewFile(to, content);
  else makeViewFile(to, content, project);
  if (existsAt(pending)) removeViewFile(pending);
}

function isYes({ answer }: Request): boolean {
  return answer?.is === 'approved' || answer?.is === 'text';
}

/** The loop has ended, so nobody waits for an answer any more. */
function removePending(parent: string, { id }: Loop): void {
  const folder = join(parent, PENDING);
  const prefix = requestPrefix(id);
  for (const name of namesIn(folder))
    if (name.startsWith(prefix) && /^\d+\.md$/.test(name.slice(prefix.length)))
      removeViewFile(join(folder, name));
}

/**
 * The requests of a loop as files. A person answers by moving one. The next process that looks at the loop
 * records that as an event of an unknown hand; if the policy of the loop demands a person, the file goes
 * back. A file has front matter for programs, text for people, and room for their words.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, type Loop, type Request } from '#law/loop.ts';
import { MAX_NOTE_CHARS, openRequestsOf, requestPrefix } from '#law/waiting/requests.ts';
import { ofIterations } from '#law/words/phrases.ts';
import { fenced, harmless, headOf, oneLine } from '#base/words/sanitize.ts';
import { refuseToLeave, namesIn } from '#base/files/paths.ts';
import { readRegular } from '#base/files/read.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { exclude, REQUEST_PATTERNS } from './exclude.ts';
import { reportViewError } from './file-view.ts';
import { existsAt, makeViewFile, removeViewFile, replaceViewFile } from './file.ts';
import { APPROVED, PENDING, REJECTED, requestFile, requestFolder } from './places.ts';

/** File times are coarse on some systems. */
const COARSE_MS = 2_000;

/** Records what was answered by file, and what nobody answered in time. */
export function readRequests(open: OpenLoop, runtime: Runtime): void {
  for (const request of openRequestsOf(open.loop())) {
    // Before its file is there, nobody can have moved it.
    if (isShown(open, request)) readAnswer(open, request, runtime);
    const isOpen = openRequestsOf(open.loop()).some(({ id }) => id === request.id);
    if (isOpen && Date.parse(request.expires) <= Date.parse(runtime.now()))
      open.write({ type: 'expired', at: runtime.now(), id: request.id });
  }
}

function isShown({ blobs }: OpenLoop, request: Request): boolean {
  return blobs.read(blobOf(request)) !== null;
}

function blobOf({ id }: Request): string {
  return `requests/${id}.md`;
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
    // A moved file keeps the time at which we made it. One that was there before the request was planted.
    if (found.is !== 'content' || found.modifiedMs < Date.parse(request.at) - COARSE_MS) continue;
    if (loop.people.approvals?.policy === 'person') {
      runtime.log(
        `loop=${loop.id} request=${request.id}: a moved file is not an answer (--approval-policy person)`,
      );
      const pending = requestFile(parent, PENDING, request.id);
      if (!existsAt(pending)) renameSync(path, pending);
      continue;
    }
    const note = headOf(noteIn(found.content), MAX_NOTE_CHARS);
    const isText = request.kind === 'question' && answer === 'approved' && note !== '';
    const meant = isText ? 'text' : answer;
    open.write({ type: 'answered', at: runtime.now(), id: request.id, answer: meant, note, by: 'file' });
    return;
  }
}

/** Shows each open request once, and puts what is settled into the folder of its answer. */
export function showRequests(open: OpenLoop, runtime: Runtime): void {
  const loop = open.loop();
  const parent = requestFolder(loop);
  for (const request of loop.people.requests) {
    try {
      if (request.answer === null) showOpen(open, parent, request);
      else showSettled(loop, parent, request);
    } catch (error) {
      reportViewError(loop, requestFile(parent, PENDING, request.id), error, runtime);
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
  for (const folder of [APPROVED, REJECTED].map((name) => join(parent, name))) {
    refuseToLeave(folder, loop.project);
    mkdirSync(folder, { recursive: true });
  }
  exclude(loop.project, REQUEST_PATTERNS);
}

function showSettled({ project }: Loop, parent: string, request: Request): void {
  const pending = requestFile(parent, PENDING, request.id);
  const isYes = request.answer?.is === 'approved' || request.answer?.is === 'text';
  const to = requestFile(parent, isYes ? APPROVED : REJECTED, request.id);
  const moved = readRegular(to);
  const found = moved.is === 'content' ? moved : readRegular(pending);
  if (found.is === 'content' && /^status: pending$/m.test(found.content)) {
    const content = renderAnswered(found.content, request);
    if (moved.is === 'content') replaceViewFile(to, content);
    else makeViewFile(to, content, project);
  } else if (moved.is !== 'content') return;
  if (existsAt(pending)) removeViewFile(pending);
}

function removePending(parent: string, { id }: Loop): void {
  const folder = join(parent, PENDING);
  const prefix = requestPrefix(id);
  for (const name of namesIn(folder))
    if (name.startsWith(prefix) && /^\d+\.md$/.test(name.slice(prefix.length)))
      removeViewFile(join(folder, name));
}

const MAX_TEXT_CHARS = 300;

/** What the person writes below this line goes to the agent. */
const NOTE = '## Your words for the agent (optional)';
const ANSWER = '## Your answer';

const TITLES: Readonly<Record<Request['kind'], string>> = {
  approval: 'May the agent do this?',
  question: 'The agent asks',
  completion: 'Is the task done?',
  acceptance: 'Do you accept it as done?',
};

function renderRequest(loop: Loop, request: Request): string {
  const { id, kind, what, why, at, expires } = request;
  const head = [
    ['id', id],
    ['loop', loop.id],
    ['kind', kind],
    ['status', 'pending'],
    ['what', JSON.stringify(oneLine(what.text, MAX_TEXT_CHARS))],
    ...(what.tool === null ? [] : [['tool', what.tool]]),
    ['asked_at', at],
    ['expires_at', expires],
  ];
  const name = loop.name === null ? '' : ` (${oneLine(loop.name, MAX_TEXT_CHARS)})`;
  return [
    `---\n${head.map(([key = '', value = '']) => `${key}: ${value}`).join('\n')}\n---`,
    `# ${TITLES[kind]}`,
    fenced(harmless(what.text)),
    ...(why === '' ? [] : [`Why:\n\n${fenced(harmless(why))}`]),
    `Loop ${loop.id}${name} in ${loop.project}, iteration ${ofIterations(loop)}. It waits for the ` +
      `answer until ${expires}.`,
    `## How to answer\n\n${howTo(id, kind).join('\n')}`,
    `${kind === 'question' ? ANSWER : NOTE}\n`,
  ].join('\n\n');
}

function howTo(id: string, kind: Request['kind']): string[] {
  const byFile =
    `- Or move this file to \`${APPROVED}/\` (yes) or \`${REJECTED}/\` (no), beside this folder. The ` +
    `host's own permissions then still apply.`;
  return kind === 'question'
    ? [
        `- \`dacapo answer ${id} "…"\``,
        `- Or write the answer at the end of this file, and move it to \`${APPROVED}/\`, beside this folder.`,
      ]
    : [`- \`dacapo approve ${id}\` or \`dacapo reject ${id} --note "…"\``, byFile];
}

function noteIn(content: string): string {
  const lines = content.split(/\r?\n/);
  const at = lines.findLastIndex((line) => line.trim() === NOTE || line.trim() === ANSWER);
  const below = at === -1 ? [] : lines.slice(at + 1);
  return below.join('\n').trim();
}

function renderAnswered(content: string, { answer }: Request): string {
  if (answer === null) return content;
  const how = answer.is === 'text' ? 'answered' : answer.is;
  const more = answer.is === 'expired' ? [] : [`answered_by: ${answer.by}`];
  const head = [`status: ${how}`, `answered_at: ${answer.at}`, ...more].join('\n');
  const note =
    answer.is === 'expired' || answer.note === '' || noteIn(content) !== ''
      ? ''
      : `\n${harmless(answer.note)}\n`;
  return content.replace(/^status: pending$/m, () => head) + note;
}

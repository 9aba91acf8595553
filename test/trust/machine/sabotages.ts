/**
 * What keeps the promises of one machine, removed one at a time: patches to the source, each of which has to be found
 * by the simulation alone. `seed`: a schedule that finds it; null: none is known that is quick.
 */
import type { Focus } from './schedule.ts';

export interface Sabotage {
  readonly name: string;
  readonly seed: number | null;
  readonly focus?: Focus;
  readonly patches: readonly Patch[];
}

/** `find` occurs once in the file, which is below `src`. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

export const SABOTAGES: readonly Sabotage[] = [
  {
    name: 'the first claim of a stop wins',
    seed: 14,
    focus: { registrations: 2 },
    patches: [
      {
        file: 'law/fold/index.ts',
        find: 'if (event.n !== loop.stops + 1 || loop.open !== null || !isLive(loop)) return loop;',
        put: 'if (!isLive(loop)) return loop;',
      },
    ],
  },
  {
    name: 'the second delivery of a stop is silent',
    seed: 1,
    focus: { registrations: 2 },
    patches: [
      {
        file: 'engine/hearing/claim.ts',
        find: "if (wasHeard(loop, mine, Date.parse(at), runtime)) return { is: 'same' };",
        put: "if (wasHeard(loop, mine, Date.parse(at), runtime) && runtime.process < 0) return { is: 'same' };",
      },
    ],
  },
  {
    name: 'the claim of a process that died is closed as lost',
    seed: 162,
    focus: { kills: 0.03 },
    patches: [
      {
        file: 'engine/hearing/claim.ts',
        find: "open.write({ type: 'lost', at: runtime.now(), n, why: 'died' });",
        put: 'await new Promise((resolve) => setTimeout(resolve, LATEST_MS));',
      },
    ],
  },
  {
    name: 'the look at what others have appended',
    seed: 10,
    focus: { registrations: 2 },
    patches: [
      {
        file: 'store/open-loop.ts',
        find: 'if (state === null || journal.end() !== upTo + grown) return look();',
        put: 'if (state === null) return look();',
      },
    ],
  },
  {
    name: 'a word that comes after an ending is refused',
    seed: 2,
    patches: [
      {
        file: 'engine/steer/control.ts',
        find: 'if (hasEnded(open.look())) return refuseEnded(open.loop(), runtime.now());',
        put: '',
      },
      {
        file: 'engine/steer/control.ts',
        find: 'if (hasEnded(after)) return refuseEnded(after, runtime.now());',
        put: '',
      },
    ],
  },
  {
    name: 'nothing follows an ending',
    seed: 12,
    patches: [
      {
        file: 'law/fold/lifecycle.ts',
        find: 'return hasEnded(loop) && !mayFollowEnding(loop, event) ? loop : change(loop, event);',
        put: 'return change(loop, event);',
      },
    ],
  },
  {
    name: 'the copy in the cache',
    seed: 101,
    focus: { cuts: 12 },
    patches: [
      {
        file: 'store/file/open-loop.ts',
        find: 'if (version !== String(LOOP_VERSION) || copy !== copyOf(body)) return null;',
        put: 'if (copy === undefined && version === undefined) return null;',
      },
    ],
  },
  {
    name: 'the place in the journal up to which the cache holds',
    seed: 7,
    patches: [
      {
        file: 'store/open-loop.ts',
        find: 'begins = (state !== null && upTo === end) || read() !== null;',
        put: 'if (state !== null) upTo = end;\n    begins = state !== null || read() !== null;',
      },
    ],
  },
  {
    name: 'the sync of the journal before an answer',
    seed: 1,
    focus: { cuts: 4 },
    patches: [{ file: 'store/file/open-loop.ts', find: 'if (!closed) fdatasyncSync(file);', put: '' }],
  },
  {
    name: 'the sync of folders',
    seed: 1,
    focus: { cuts: 4 },
    patches: [{ file: 'base/files/rename.ts', find: 'fsyncSync(folder);', put: 'void fsyncSync;' }],
  },
  {
    name: "the copy of a person's text",
    seed: 7,
    focus: { edits: true },
    patches: [
      {
        file: 'store/evidence.ts',
        find: 'return blobs.place(blobs.keep(`${FOLDER}/${name}`, content));',
        put: 'return blobs.place(content.length < 0 ? FOLDER : name);',
      },
    ],
  },
  {
    name: 'N iterations are N passes',
    seed: 1,
    patches: [
      {
        file: 'law/decide.ts',
        find: 'frame.passes + 1 < frame.iterations',
        put: 'frame.passes < frame.iterations',
      },
    ],
  },
  // What schedules have found. Each mend is undone.
  {
    name: 'the state folder that two processes make at once',
    seed: 291,
    patches: [
      {
        file: 'store/file/home.ts',
        find: 'if (!existsSync(above)) makePrivateFolder(above);',
        put: 'if (existsSync(above)) throw error;\n    makePrivateFolder(above);',
      },
    ],
  },
  {
    name: 'the sync of a state folder that another process has made',
    seed: 75,
    focus: { cuts: 4, firstDies: 0.1 },
    patches: [
      {
        file: 'store/file/loops.ts',
        find: 'for (const folder of [dirname(home.dir), home.dir]) syncFolder(folder);',
        put: 'void dirname;',
      },
    ],
  },
  {
    name: 'the unfinished copies of views, which no agent has planted',
    seed: 7,
    focus: { kills: 0.05 },
    patches: [
      {
        file: 'hosts/project/project-files.ts',
        find: "'.claude/.{ralph-loop,idle-loop}*.local.md.*.tmp': 'harmless',",
        put: '',
      },
    ],
  },
  {
    name: 'views that a power cut has torn',
    seed: 1,
    focus: { cuts: 4 },
    patches: [
      {
        file: 'evidence/views/file-view.ts',
        find: 'if (isTorn(format, open, found, runtime)) {',
        put: "if (isTorn(format, open, found, runtime) && format.kind !== 'markdown') {",
      },
    ],
  },
  {
    name: 'the sync of a view that was just made',
    seed: 1,
    focus: { cuts: 4 },
    patches: [{ file: 'evidence/views/file.ts', find: 'if (isNew) syncFolder(dirname(path));', put: '' }],
  },
  {
    name: 'views that are made again after a loop was reopened',
    seed: 236,
    patches: [{ file: 'evidence/views/file-view.ts', find: '!isReopening(open) && ', put: '' }],
  },
  {
    name: 'the entry of a session, which is written before the record',
    seed: 24,
    focus: { firstDies: 0.02 },
    patches: [
      {
        file: 'engine/begin/bind.ts',
        find: 'runtime.store.sessions.keep(session, { loop: id, process, project });',
        put: '',
      },
      {
        file: 'engine/begin/bind.ts',
        find: '  return loop;',
        put: '  runtime.store.sessions.keep(session, { loop: id, process, project });\n  return loop;',
      },
      { file: 'engine/steer/resume.ts', find: 'keepEntry(open.loop(), runtime);', put: '' },
    ],
  },
  {
    name: 'a prune and a resume at once: the first line in the record decides',
    seed: 14,
    focus: { prunes: true },
    patches: [
      {
        file: 'engine/steer/prune.ts',
        find: 'return after === null || after.pruned === true;',
        put: 'return true;',
      },
      { file: 'law/fold/lifecycle.ts', find: 'if (loop.pruned === true) return false;', put: '' },
    ],
  },
  {
    name: 'what a person writes into a view in the moment of its replacement',
    seed: 2,
    focus: { lateEdits: true },
    patches: [
      {
        file: 'evidence/views/markdown/show.ts',
        find: '(content) => isRendering(content, loop)',
        put: '() => true',
      },
    ],
  },
  {
    name: 'the first line wakes a session',
    seed: 21,
    focus: { cuts: 0, rests: 0.6, registrations: 2 },
    patches: [
      {
        file: 'programs/wake.ts',
        find: 'return woken?.n === stops && woken.process === process.pid && woken.machine === machine;',
        put: 'return woken !== undefined && machine !== undefined;',
      },
    ],
  },
  {
    name: 'nobody is woken whose loop has ended or is paused: the look of the waker, and the record',
    seed: 19,
    focus: { cuts: 0, rests: 0.6 },
    patches: [
      {
        file: 'programs/wake.ts',
        find: 'if (!isLive(loop) || stops !== before.stops || session.chain !== before.session.chain) return null;',
        put: 'if (stops !== before.stops || session.chain !== before.session.chain) return null;',
      },
      {
        file: 'law/fold/lifecycle.ts',
        find: 'event.n !== loop.stops || !isLive(loop) || loop.session.woken?.n === event.n',
        put: 'event.n !== loop.stops || loop.session.woken?.n === event.n',
      },
    ],
  },
  {
    name: 'only the last stop wakes a session: the look of the waker, and the record',
    seed: 43,
    focus: { cuts: 0, rests: 0.6 },
    patches: [
      {
        file: 'programs/wake.ts',
        find: 'if (!isLive(loop) || stops !== before.stops || session.chain !== before.session.chain) return null;',
        put: 'if (!isLive(loop)) return null;',
      },
      {
        file: 'law/fold/lifecycle.ts',
        find: 'event.n !== loop.stops || !isLive(loop) || loop.session.woken?.n === event.n',
        put: '!isLive(loop) || loop.session.woken?.n === event.n',
      },
    ],
  },
  {
    name: 'the answer to another stop is not the answer to this one',
    seed: 7,
    focus: { cuts: 0, rests: 0.6, registrations: 2 },
    patches: [
      {
        file: 'programs/wake.ts',
        find: 'return loop.answered.at(-1)?.words === words ? loop : null;',
        put: 'return loop;',
      },
    ],
  },
  {
    name: 'a waker does not wait for a hook that died',
    seed: 3,
    focus: { cuts: 0, rests: 0.6, kills: 0.03 },
    patches: [
      {
        file: 'programs/wake.ts',
        find: 'loop.open !== null && runtime.isAlive(loop.open.process) ? 0',
        put: 'loop.open !== null ? 0',
      },
    ],
  },
  {
    name: 'a waker counts its looks, not the time of a machine that slept',
    seed: 9,
    focus: { cuts: 0, rests: 0.6, sleeps: true },
    patches: [
      {
        file: 'programs/wake.ts',
        find: 'unheard > CLAIM_LOOKS',
        put: 'Date.now() - BEGAN > 500 * CLAIM_LOOKS',
      },
    ],
  },
  {
    name: "a person's word that ends a wait before the first look of the waker",
    seed: 139,
    focus: { cuts: 0, rests: 0.6 },
    patches: [
      {
        file: 'programs/wake.ts',
        find: "return isAwaitingCheck(loop) || (verdict?.is === 'allow' && verdict.why === 'not-yet');",
        put: 'return isAwaitingCheck(loop) && verdict !== undefined;',
      },
    ],
  },
  {
    name: 'an answer that comes before the first look of the waker',
    seed: 3,
    focus: { cuts: 0, rests: 0.6 },
    patches: [
      {
        file: 'programs/wake.ts',
        find: 'if (isAwaitingAnswer(answered) || hasJustBeenAnswered(answered)) {',
        put: 'if (isAwaitingAnswer(answered)) {',
      },
    ],
  },
  {
    name: 'what killed processes left in the project is tidied up',
    seed: 82,
    focus: { kills: 0.05 },
    patches: [{ file: 'engine/steer/prune.ts', find: 'tidyProject(before.project, runtime);', put: '' }],
  },
  {
    name: 'an answer is on the disk before anybody is told',
    seed: 110,
    focus: { rests: 0.6, cuts: 4 },
    patches: [
      {
        file: 'engine/requests/answer.ts',
        find: "type: 'answered', at, id, answer, note, by });\n  open.keep();",
        put: "type: 'answered', at, id, answer, note, by });",
      },
    ],
  },
  {
    name: 'who ends a loop while its waker looks at the check is not told of it',
    seed: 60643,
    focus: { rests: 0.4, kills: 0.03 },
    patches: [
      { file: 'programs/wake.ts', find: 'if (PERSONAL.includes(after.status.is)) return null;', put: '' },
    ],
  },
];

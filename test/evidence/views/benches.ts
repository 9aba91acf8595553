/** How each view does what the conformance suite asks of it. */
import { promiseOf } from '#law/gates.ts';
import { framesOf, type Loop } from '#law/loop.ts';
import { asShown, iterationShown } from '#telling/person/status.ts';
import {
  readHandWritten,
  readMarkdown,
  renderMarkdown,
  parseFrontMatter,
} from '#evidence/views/markdown/format.ts';
import {
  progressStatus,
  readProgress,
  readProgressLines,
  renderProgress,
} from '#evidence/views/progress/format.ts';
import {
  readIdle,
  readIdleState,
  readStack,
  readStackState,
  renderIdle,
  renderStack,
  stackEvent,
} from '#evidence/views/stack/format.ts';
import { readVault, readVaultFile, renderVault, vaultStatus } from '#evidence/views/vault/format.ts';
import { OTHER_LIMIT, type ViewBench } from './conformance.ts';

const limitOf = (loop: Loop) => loop.frame.iterations ?? 'unlimited';
const iterationOf = (loop: Loop) => iterationShown(asShown(loop));
const statusOf = (loop: Loop) => asShown(loop).status;

const markdown: ViewBench = {
  render: (loop, { prompt }) => renderMarkdown(loop, prompt),
  carried: (loop, { prompt }) => ({
    prompt,
    promise: promiseOf(loop.frame),
    iterations: limitOf(loop),
    session: loop.session.owner?.session ?? null,
    loopId: loop.id,
    iteration: String(iterationOf(loop)),
    status: statusOf(loop).is,
  }),
  read: (rendering) => {
    const written = readHandWritten(rendering);
    if (written.is === 'garbage') return written;
    const { is: _is, official: _official, endless: _endless, inactive: _inactive, ...loop } = written;
    const parsed = parseFrontMatter(rendering);
    if (!parsed.ok) return parsed;
    return { ...loop, iteration: parsed.fields.get('iteration'), status: parsed.fields.get('status') };
  },
  reading: (content, loop, _last, { prompt }) => readMarkdown(content, loop, () => prompt),
  edits: [
    {
      name: 'another limit amends',
      edit: (rendering) => rendering.replace(/^max_iterations: .*$/m, `max_iterations: ${OTHER_LIMIT}`),
      reads: { is: 'edited', prompt: null, iterations: OTHER_LIMIT },
    },
    {
      name: 'another prompt amends',
      edit: (rendering) => `${rendering.slice(0, rendering.indexOf('\n---\n') + 5)}Do it well.`,
      reads: { is: 'edited', prompt: 'Do it well.', iterations: null },
    },
  ],
};

const NOTES = 'Notes\r\n\r\nHTTP Status: 200\r\n- Iteration: 7 of the parser\r\n';

const progress: ViewBench = {
  render: (loop) => renderProgress(loop, null),
  carried: (loop) => ({
    ok: true,
    status: progressStatus(statusOf(loop)),
    iteration: iterationOf(loop),
    iterations: limitOf(loop),
  }),
  read: readProgressLines,
  reading: readProgress,
  edits: [
    {
      name: 'another limit amends',
      edit: (rendering) =>
        rendering.replace(/^Max Iterations: .*$/m, `Max Iterations: ${OTHER_LIMIT} (enough)`),
      reads: { is: 'edited', prompt: null, iterations: OTHER_LIMIT },
    },
    {
      name: 'notes, and another status, are nothing',
      edit: (rendering) => `${rendering.replace('Status: IN_PROGRESS', 'Status: COMPLETE')}${NOTES}`,
      reads: { is: 'untouched' },
    },
  ],
};

const vault: ViewBench = {
  render: (loop, beside) => renderVault(loop, { ...beside, awaitsApproval: false }),
  carried: (loop, beside) => ({
    ok: true,
    id: loop.id,
    prompt: beside.prompt,
    limit: limitOf(loop),
    promise: promiseOf(loop.frame),
    iteration: iterationOf(loop),
    status: vaultStatus(statusOf(loop), false),
    startedAt: toSecond(loop.startedAt),
    iterations: beside.iterations.map((item) => ({
      ...item,
      timestamp: toSecond(item.timestamp),
      output_preview: shown(item.output_preview),
    })),
    errors: beside.errors.map((item) => ({
      ...item,
      timestamp: toSecond(item.timestamp),
      message: shown(item.message),
    })),
    awaitsApproval: false,
    moved: beside.moved,
  }),
  read: (rendering) => {
    const read = readVaultFile(rendering);
    if (!read.ok) return read;
    const iterations = read.iterations.map((item) => ({
      ...item,
      output_preview: shown(item.output_preview),
    }));
    return {
      ...read,
      iterations,
      errors: read.errors.map((item) => ({ ...item, message: shown(item.message) })),
    };
  },
  reading: readVault,
  edits: [
    {
      name: 'stopped cancels',
      edit: (rendering) => rendering.replace(/^ {2}"status": ".*"/m, '  "status": "stopped"'),
      reads: { is: 'cancelled' },
    },
    {
      name: 'another limit, promise or counter is nothing',
      edit: (rendering) =>
        rendering
          .replace(/"max_iterations": \d+/, `"max_iterations": ${OTHER_LIMIT}`)
          .replace(/"current_iteration": \d+/, '"current_iteration": 0')
          .replace(/^ {2}"completion_promise": .*$/m, '  "completion_promise": "x",'),
      reads: { is: 'untouched' },
    },
    {
      name: 'another id is another loop',
      edit: (rendering) => rendering.replace(/"loop_id": ".*"/, '"loop_id": "RALPH_20260119_abc123"'),
      reads: { is: 'foreign' },
    },
  ],
};

export const promptFile = () => '.claude/ralph-loop.local.md';

const stack: ViewBench = {
  render: (loop) => renderStack(loop, promptFile),
  carried: (loop) => {
    const { event, reason } = stackEvent(statusOf(loop));
    if (event === 'DONE') return { is: 'done', runId: loop.id, reason };
    if (event === 'ABORT') return { is: 'aborted', runId: loop.id, why: reason };
    return {
      is: 'active',
      runId: loop.id,
      updatedAt: loop.updatedAt,
      prompt: null,
      frames: framesOf(loop).map((frame, k) => ({
        id: k === 0 ? loop.id : `${loop.id}-${k + 1}`,
        mode: frame.mode,
        iteration: frame.passes + 1,
        iterations: frame.iterations ?? 'unlimited',
        promptFile: promptFile(),
        besides: [],
      })),
    };
  },
  read: readStackState,
  reading: readStack,
  edits: [
    {
      name: 'ABORT aborts',
      edit: (rendering) => rendering.replace('"event":"STATE"', '"event":"ABORT"'),
      reads: { is: 'aborted', why: 'ABORT' },
    },
    {
      name: 'a counter that is not a number aborts',
      edit: (rendering) => rendering.replace(/"iter":\d+/, '"iter":"many"'),
      reads: { is: 'garbage', why: 'iter is not a number: "many"' },
    },
    {
      name: 'another limit is nothing',
      edit: (rendering) => rendering.replace(/"max":\d+/, `"max":${OTHER_LIMIT}`),
      reads: { is: 'untouched' },
    },
  ],
};

const idle: ViewBench = {
  render: (loop, { prompt }) => renderIdle(loop, prompt),
  carried: (loop, { prompt }) => {
    const { event, reason } = stackEvent(statusOf(loop));
    if (event === 'DONE') return { is: 'done', runId: loop.id, reason };
    if (event === 'ABORT') return { is: 'aborted', runId: loop.id, why: reason };
    const { mode } = loop.frame;
    const frame = {
      id: loop.id,
      mode,
      iteration: iterationOf(loop),
      iterations: limitOf(loop),
      promptFile: null,
      besides: [],
    };
    return { is: 'active', runId: loop.id, updatedAt: loop.updatedAt, prompt, frames: [frame] };
  },
  read: readIdleState,
  reading: readIdle,
  edits: [
    {
      name: 'ABORT aborts',
      edit: (rendering) => rendering.replace('event: STATE', 'event: ABORT'),
      reads: { is: 'aborted', why: 'ABORT' },
    },
    {
      name: 'so does what is not active',
      edit: (rendering) => rendering.replace('active: true', 'active: false'),
      reads: { is: 'aborted', why: 'active is not true' },
    },
  ],
};

function toSecond(at: string): string {
  return at.replace(/\.\d+Z$/, 'Z');
}

/** Previews are made harmless when they are rendered; what is compared is what is left. */
function shown(text: string): string {
  return text.replaceAll(/[^a-z]/g, '');
}

export const BENCHES = { markdown, progress, vault, stack, idle };

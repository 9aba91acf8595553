/** Each adapter of the view port runs the same suite, with the files of its own tool. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ViewKind } from '#law/record/definition.ts';
import { VIEWS } from '#evidence/views/registry.ts';
import { adapterConformance, type AdapterBench } from './adapter-conformance.ts';
import { BENCHES } from './benches.ts';
import { OTHER_LIMIT } from './conformance.ts';

const ANOTHER = 'RALPH_20260119_abc123';
const FOLDER = join('.claude', 'data', 'ralph-loops', 'current');
const STATE = join('AI_Employee_Vault', 'Ralph_State', `${ANOTHER}.json`);
const FEATURES = JSON.stringify([{ id: 1, description: 'It adds.', passes: false }]);

const ADAPTERS: Readonly<Record<ViewKind, AdapterBench>> = {
  markdown: {
    format: BENCHES.markdown,
    edit: {
      by: (rendering) => rendering.replace('max_iterations: 20', `max_iterations: ${OTHER_LIMIT}`),
      gives: { status: 'running', limit: OTHER_LIMIT },
    },
    gone: 'cancelled',
    anothers: (rendering) => rendering.replace(/^loop_id: .*$/m, `loop_id: "${ANOTHER}"`),
    theirs: {
      files: {
        [join('.claude', 'ralph-loop.local.md')]:
          '---\nactive: true\niteration: 3\nmax_iterations: 9\ncompletion_promise: "SHIPPED"\n---\n\nShip it.\n',
      },
      named: join('.claude', 'ralph-loop.local.md'),
      says: {
        prompt: 'Ship it.',
        passes: 2,
        fields: { maxIterations: 9, promise: 'SHIPPED' },
      },
    },
  },
  progress: {
    format: BENCHES.progress,
    edit: {
      by: (rendering) => rendering.replace('Max Iterations: 20', `Max Iterations: ${OTHER_LIMIT}`),
      gives: { status: 'running', limit: OTHER_LIMIT },
    },
    gone: 'running',
    anothers: null,
    theirs: {
      files: {
        [join(FOLDER, 'RALPH_PROMPT.md')]: 'Ship it.\n',
        [join(FOLDER, 'feature_list.json')]: FEATURES,
        [join(FOLDER, 'progress.txt')]: 'Status: IN_PROGRESS\nIteration: 3\nMax Iterations: 9\n\nNotes\n',
      },
      named: join(FOLDER, 'progress.txt'),
      says: { prompt: 'Ship it.', passes: 2, fields: { maxIterations: 9, view: 'progress' } },
    },
  },
  vault: {
    format: BENCHES.vault,
    edit: {
      by: (rendering) => rendering.replace(/"status": ".*"/, '"status": "stopped"'),
      gives: { status: 'cancelled' },
    },
    gone: 'cancelled',
    anothers: (rendering) => rendering.replace(/"loop_id": ".*"/, `"loop_id": "${ANOTHER}"`),
    theirs: {
      files: {
        [STATE]: JSON.stringify({
          loop_id: ANOTHER,
          prompt: 'Ship it.',
          max_iterations: 9,
          current_iteration: 3,
          status: 'running',
        }),
      },
      named: STATE,
      says: { prompt: 'Ship it.', passes: 2, fields: { maxIterations: 9, view: 'vault' } },
    },
  },
  stack: {
    format: BENCHES.idle,
    edit: {
      by: (rendering) => rendering.replace('event: STATE', 'event: ABORT'),
      gives: { status: 'aborted' },
    },
    gone: 'cancelled',
    anothers: (rendering) => rendering.replace(/^run_id: .*$/m, `run_id: "${ANOTHER}"`),
    theirs: {
      files: {
        [join('.claude', 'idle-loop.local.md')]:
          '---\nactive: true\nmode: loop\niteration: 3\nmax_iterations: 9\n---\nShip it.\n',
      },
      named: join('.claude', 'idle-loop.local.md'),
      says: { prompt: 'Ship it.', passes: 2, fields: { maxIterations: 9, view: 'stack' } },
    },
  },
};

for (const view of Object.values(VIEWS)) adapterConformance(view, ADAPTERS[view.kind]);

it('each view is registered under its kind', () => {
  for (const [kind, view] of Object.entries(VIEWS)) expect(view.kind).toBe(kind);
});

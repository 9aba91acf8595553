/**
 * The vault view: a loop as one JSON file in `Ralph_State`, and in `Ralph_History` once it has ended. People
 * may change its `status`: `stopped` cancels the loop.
 */
import { oneLine } from '#base/words/sanitize.ts';
import { promiseOf } from '#law/gates.ts';
import { type Loop, type Status } from '#law/loop.ts';
import { asShown, iterationShown } from '#telling/person/status.ts';
import type { ViewChange } from '../view.ts';
import * as s from '#base/shape.ts';

/** The limit of a state file that names none. */
const VAULT_ITERATIONS = 10;
/** No limit. The format's own tool compares with a number, and `null` would end the loop at once. */
const UNLIMITED = 999_999_999;
const MAX_PASSES_SHOWN = 100;
/** The copy of an adopted state file: its passes come before ours. */
export const ADOPTED_STATE = 'adopted-state.json';
const MAX_PREVIEW_CHARS = 200;
const MAX_MESSAGE_CHARS = 2_000;

const STATUSES = [
  'pending',
  'running',
  'paused_awaiting_approval',
  'completed',
  'max_iterations_reached',
  'stopped',
] as const;
const vaultStatusShape = s.oneOf(...STATUSES);
export type VaultStatus = s.Infer<typeof vaultStatusShape>;

/** A paused loop can be resumed, so it is not `stopped`: that would read as its end. */
const SHOWN_AS: Readonly<Record<Status['is'], VaultStatus>> = {
  pending: 'pending',
  paused: 'pending',
  interrupted: 'pending',
  running: 'running',
  waiting: 'running',
  completed: 'completed',
  exhausted: 'max_iterations_reached',
  stuck: 'max_iterations_reached',
  escalated: 'stopped',
  cancelled: 'stopped',
  aborted: 'stopped',
};

export function vaultStatus({ is }: Status, awaitsApproval: boolean): VaultStatus {
  const status = SHOWN_AS[is];
  return status === 'running' && awaitsApproval ? 'paused_awaiting_approval' : status;
}

const ENDED: readonly VaultStatus[] = ['completed', 'max_iterations_reached', 'stopped'];

export function hasVaultEnded(content: string): boolean {
  const state = readVaultFile(content);
  return state.ok && ENDED.includes(state.status);
}

/** One pass that has ended: the format lists it, and `Loop` does not keep it. */
const passShape = s.record({
  number: s.positive,
  timestamp: s.instant,
  output_preview: s.text,
  completed: s.flag,
});
export type VaultPass = s.Infer<typeof passShape>;

/** A fatal error ended the loop; the loop recovered from any other. */
const errorShape = s.record({ timestamp: s.instant, message: s.text, fatal: s.flag });
export type ErrorRecord = s.Infer<typeof errorShape>;

export interface VaultFacts {
  readonly prompt: string;
  readonly iterations: readonly VaultPass[];
  readonly errors: readonly ErrorRecord[];
  readonly awaitsApproval: boolean;
  readonly moved: { readonly file: string; readonly folder: string } | null;
}

export function renderVault(loop: Loop, facts: VaultFacts): string {
  const shown = asShown(loop);
  const { frame } = shown;
  const status = vaultStatus(shown.status, facts.awaitsApproval);
  const state = {
    loop_id: shown.id,
    prompt: facts.prompt,
    max_iterations: frame.iterations ?? UNLIMITED,
    completion_promise: promiseOf(frame),
    current_iteration: iterationShown(shown),
    status,
    started_at: toSecond(shown.startedAt),
    iterations: facts.iterations.slice(-MAX_PASSES_SHOWN).map((pass) => ({
      ...pass,
      timestamp: toSecond(pass.timestamp),
      output_preview: oneLine(pass.output_preview, MAX_PREVIEW_CHARS),
    })),
    errors: facts.errors.slice(-MAX_PASSES_SHOWN).map((error) => ({
      ...error,
      timestamp: toSecond(error.timestamp),
      message: oneLine(error.message, MAX_MESSAGE_CHARS),
    })),
    paused_for_approval: status === 'paused_awaiting_approval',
    watch_file: facts.moved?.file ?? null,
    done_folder: facts.moved?.folder ?? null,
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** `2026-01-19T10:00:00Z`, as the format writes an instant. */
function toSecond(at: string): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

export type VaultState = Extract<ReturnType<typeof readVaultFile>, { ok: true }>;

/** A state file, ours or anyone's, with the format's defaults where it says nothing. */
export function readVaultFile(content: string) {
  const state = s.parseAs(s.isRecord, content.replace(/^\uFEFF/, ''));
  if (state === null) return no('it is not a JSON object');
  const prompt = state['prompt'];
  if (!s.text(prompt) || prompt.trim() === '') return no('it has no prompt');
  const limit = state['max_iterations'] ?? VAULT_ITERATIONS;
  if (!s.positive(limit)) return no('max_iterations is not a positive number');
  const iteration = state['current_iteration'] ?? 1;
  if (!s.whole(iteration)) return no('current_iteration is not a number');
  const status = state['status'] ?? 'pending';
  if (!vaultStatusShape(status)) return no(`status is none of ${STATUSES.join(', ')}`);
  const { watch_file: file, done_folder: folder } = state;
  const [iterations, errors] = [state['iterations'], state['errors']];
  return {
    ok: true,
    id: s.textOrNull(state['loop_id']),
    prompt,
    limit: limit >= UNLIMITED ? 'unlimited' : limit,
    promise: s.textOrNull(state['completion_promise']),
    iteration,
    status,
    startedAt: s.instant(state['started_at']) ? state['started_at'] : null,
    iterations: s.list(passShape)(iterations) ? iterations : [],
    errors: s.list(errorShape)(errors) ? errors : [],
    awaitsApproval: state['paused_for_approval'] === true,
    // The format's own tool checks the done folder only if a file is named too.
    moved: s.text(file) && s.text(folder) ? { file, folder } : null,
  } as const;
}

function no(why: string) {
  return { ok: false, why } as const;
}

/**
 * What a person has done to the file since `last`, the previous rendering; null where that is unknown. After
 * a resume the file still shows our own `stopped`, which cancels nothing.
 */
export function readVault(content: string, loop: Loop, last: string | null): ViewChange {
  const now = readVaultFile(content);
  if (!now.ok) return { is: 'garbage', why: now.why };
  if (now.id !== loop.id) return { is: 'foreign' };
  const before = readVaultFile(last ?? '');
  const wasStopped = before.ok && before.status === 'stopped';
  return now.status === 'stopped' && !wasStopped ? { is: 'cancelled' } : { is: 'untouched' };
}

/** Gemini CLI as the command line knows it (0.61.0). */
import { passOutcome, outcomeByStatus } from '../kit/pass-outcome.ts';
import { isTrustedIn, geminiBasedAdapter } from '../kit/gemini-based.ts';
import { gemini, GEMINI_EVENTS } from './hook.ts';
import { GEMINI } from '../tables/names.ts';
import { openStream, readRow } from './stream.ts';

export const geminiAdapter = geminiBasedAdapter({
  ...GEMINI,
  hook: gemini,
  events: GEMINI_EVENTS,
  program: {
    oldest: '0.61.0',
    install: 'npm install -g @google/gemini-cli',
  },
  headless: {
    login: 'gemini, then /auth',
    permissionModes: ['default', 'auto_edit', 'yolo', 'plan'],
    // Without trust it exits, and nobody has trusted the folder of a review before.
    readOnly: { permissionMode: 'plan', env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
    openStream,
    classify: (end) =>
      passOutcome(end, (result) => outcomeByStatus(statusOf(end.exit), end.record, result.error ?? 'failed')),
  },
  fallback: false,
  modeAt: ['general', 'defaultApprovalMode'],
  edits: 'auto_edit',
  trust: ', and without a screen it exits',
  // Its variable for all folders and its setting that asks about none are no agreement to this project.
  asks: { isTrusted: isTrustedIn(GEMINI) },
  record: [(session) => `-${session.slice(0, 8)}.jsonl`, readRow],
});

/** Its exit code is the status of the API, of which a system keeps the last eight bits. */
function statusOf(exit: number | null): number | null {
  const status = (exit ?? 0) + 256;
  return status >= 400 ? status : exit === 529 % 256 ? 529 : null;
}

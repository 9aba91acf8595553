/** Claude Code's words for errors that no retry can fix. All other words mean that a later attempt may succeed. */
import type { FatalKind } from '../stream.ts';

export const FATAL_WORDS: Readonly<Record<string, FatalKind>> = {
  billing_error: 'billing',
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  cloud_credential_error: 'auth',
  model_not_found: 'model',
};

/** A program answers a request by a signed callback of the webhook: who sent it is proven first, then it is an answer. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import { verifyCallback, type Verified } from '../../sinks/signature.ts';
import { readUserConfig } from '../../sinks/user-config.ts';
import type { Runtime } from '../../store/runtime.ts';
import { answer, type Answered } from './answer.ts';

export interface CallbackOrder {
  /** The headers of the callback; empty: it has none. */
  readonly timestamp: string;
  readonly signature: string;
  /** Exactly as it was received. */
  readonly body: string;
}

export function answerByCallback({ timestamp, signature, body }: CallbackOrder, world: Runtime): Answered {
  const { store, env } = world;
  const config = readUserConfig(store.config());
  const secret = env['DACAPO_NOTIFY_SECRET'] || (config.ok ? config.value.secret : null);
  const now = new Date(world.now());
  const verified = verifyCallback(timestamp, body, signature, secret, now, store.once.isNews);
  if (!verified.ok) return refuseCallback(verified.why);
  const { request, answer: given, note = '' } = verified.callback;
  return answer({ id: request, answer: given, note, by: 'webhook' }, world);
}

function refuseCallback(why: Extract<Verified, { ok: false }>['why']): Refusal {
  switch (why) {
    case 'no-secret':
      return refuse(why, 'There is no secret to check a callback with.', 'Set notifySecret in config.json.');
    case 'unsigned':
      return refuse(why, 'The signature is missing or wrong.', 'Sign <timestamp>.<body> with the secret.');
    case 'old':
      return refuse(why, 'The timestamp is more than 5 minutes off.', 'Sign it anew, with the time of now.');
    case 'replayed':
      return refuse(why, 'This callback came before.', 'Nothing is left to do.');
    case 'bad-body':
      return refuse(why, 'The body is no answer.', 'Send {"request": …, "answer": …, "note": …}.');
  }
}

/** The HTTP status that tells a program what became of its callback. */
export function callbackStatus(answered: Answered): number {
  if (answered.ok) return 200;
  switch (answered.code) {
    case 'no-secret':
    case 'unsigned':
    case 'old':
      return 401;
    case 'bad-body':
    case 'no-question':
      return 400;
    case 'people-only':
      return 403;
    case 'no-request':
      return 404;
    default:
      return 409;
  }
}

/** Pushes a frame onto a running loop. */
import type { Refusal } from '../core/refusal.ts';
import { parseStartWords } from '../flags/arguments.ts';
import { wordsOf } from '../flags/named-fields.ts';
import { pushFrame } from '../operations/begin/push.ts';
import { openById } from '../operations/look/loops.ts';
import { actorOf } from '../operations/trust/people-only.ts';
import { FRAME, type FrameFields } from './fields.ts';
import { env, text, withRuntime, type InEnvironment } from './runtime.ts';

export interface FrameRequest extends FrameFields, InEnvironment {
  /** The id of a running loop. */
  readonly loop: string;
}

export type FramePushed =
  | {
      readonly ok: true;
      readonly loop: string;
      /** How many frames the loop has now. */
      readonly depth: number;
    }
  | Refusal;

export async function pushByName(request: FrameRequest): Promise<FramePushed> {
  return withRuntime(request, { loop: text, ...FRAME, env }, async (runtime): Promise<FramePushed> => {
    const parsed = parseStartWords(wordsOf(request.prompt, { ...request, nest: true }));
    if (!parsed.ok) return parsed;
    const opened = openById(request.loop, runtime);
    if (!opened.ok) return opened;
    const { open } = opened;
    try {
      const order = { request: parsed, by: actorOf(runtime.env), prompt: null };
      const pushed = await pushFrame(open, order, runtime);
      return pushed.ok ? { ok: true, loop: pushed.loop.id, depth: pushed.loop.frames.length } : pushed;
    } finally {
      open.close();
    }
  });
}

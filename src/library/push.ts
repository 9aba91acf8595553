/** Pushes a frame onto a running loop. */
import type { Refusal } from '../core/refusal.ts';
import { parseStartWords } from '../flags/arguments.ts';
import { wordsOf } from '../flags/named-fields.ts';
import { pushFrame } from '../operations/begin/push.ts';
import { openById } from '../operations/look/loops.ts';
import { handOf } from '../operations/trust/people-only.ts';
import { FRAME, type FrameFields } from './fields.ts';
import { env, text, withWorld, type InEnvironment } from './world.ts';

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
  return withWorld(request, { loop: text, ...FRAME, env }, async (world): Promise<FramePushed> => {
    const parsed = parseStartWords(wordsOf(request.prompt, { ...request, nest: true }));
    if (!parsed.ok) return parsed;
    const opened = openById(request.loop, world);
    if (!opened.ok) return opened;
    const { open } = opened;
    try {
      const order = { request: parsed, by: handOf(world.env), prompt: null };
      const pushed = await pushFrame(open, order, world);
      return pushed.ok ? { ok: true, loop: pushed.loop.id, depth: pushed.loop.frames.length } : pushed;
    } finally {
      open.close();
    }
  });
}

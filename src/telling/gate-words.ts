/** Words about the gates of a frame, by kind: a kind of gate that one of these tables leaves out does not compile. */
import type { Frame } from '#law/loop.ts';
import type { Gate } from '#law/record/definition.ts';

/** In the order in which they are said. */
export type GateWords<T = string> = Readonly<Record<Gate['kind'], (frame: Frame) => readonly T[]>>;

/** For a kind that the caller words by itself. */
export const UNSAID = (): readonly never[] => [];

export function wordsOfGates<T>(words: GateWords<T>, frame: Frame): T[] {
  return Object.values(words).flatMap((say) => say(frame));
}

/** Words about the gates of a frame: a table that leaves out a kind of gate does not compile. */
import type { Frame } from '#law/loop.ts';
import type { Gate } from '#law/record/definition.ts';

/** In the order in which they are said. */
export type GateWords<T = string> = Readonly<Record<Gate['kind'], (frame: Frame) => readonly T[]>>;

/** For a kind that the caller words by itself. */
export const UNSAID = (): readonly never[] => [];

export function wordsOfGates<T>(words: GateWords<T>, frame: Frame): T[] {
  return Object.values(words).flatMap((say) => say(frame));
}

/**
 * The sink port: told when something has happened to a loop, after it is recorded, in the order of the
 * record. It returns at once and does slow work elsewhere. If it fails, the loop goes on undisturbed.
 */
import type { Notice } from '#law/notices.ts';

export type Sink = (notice: Notice) => void;

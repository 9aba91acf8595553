/** The host that the command line works with. There is one so far; a second one makes this a choice of the person's. */
import { TERMINAL } from '../text/to-person.ts';
import type { Sender } from './arrival.ts';
import { claudeCode } from './claude-code/hook/host.ts';
import type { Host } from './host.ts';

export const DEFAULT_HOST: Host = claudeCode;

/** What is known of a session before it has begun; its id and project come with it. */
export const COMING: Omit<Sender, 'session' | 'project'> = {
  host: DEFAULT_HOST.name,
  limits: DEFAULT_HOST.limits,
  process: null,
  prompt: null,
  commands: TERMINAL,
};

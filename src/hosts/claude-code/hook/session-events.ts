/**
 * Claude Code's commands, session starts and errors. They are rare, so the hook program loads this on demand.
 */
import { LOGIN, capOf } from '../names.ts';
import type {
  Arrival,
  CommandArrival,
  Environment,
  HookPayload,
  HostSetup,
  Sender,
} from '#hosts/port/arrival.ts';
import { textAt, recordsIn } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { FATAL_WORDS } from '../headless/faults.ts';
import { join } from 'node:path';
import { readText } from '#base/files/read.ts';
import { commandsFolder } from '../setup/places.ts';
import { liftCap } from './cap.ts';
import type { BackgroundTask } from '#law/stop.ts';

const COMMANDS: ReadonlyMap<string, CommandArrival['command']> = new Map([
  ['ralph', 'start'],
  ['cancel-ralph', 'cancel'],
  ['resume-ralph', 'resume'],
  ['ralph-status', 'status'],
  ['approve-ralph', 'approve'],
  ['reject-ralph', 'reject'],
  ['answer-ralph', 'answer'],
]);

/** Enough for what a service says about an error. */
const MAX_DETAIL_CHARS = 400;

export function rareEventOf(payload: HookPayload, from: Sender, env: Environment): Arrival | null {
  switch (payload['hook_event_name']) {
    case 'SessionStart': {
      const { source } = payload;
      const concerns = source === 'resume' || source === 'clear' || source === 'compact';
      return concerns ? { is: 'session-start', from, source } : null;
    }
    case 'UserPromptExpansion':
      return commandOf(payload, from, env);
    case 'StopFailure':
      return faultOf(payload, from);
    default:
      return null;
  }
}

export function commandOf(payload: HookPayload, from: Sender, env: Environment): CommandArrival | null {
  const name = textAt(payload, 'command_name');
  const colon = name.lastIndexOf(':');
  const plugin = name.slice(0, colon + 1);
  const command = COMMANDS.get(name.slice(colon + 1));
  if (command === undefined || (plugin !== '' && plugin !== 'dacapo:')) return null;
  return {
    is: 'command',
    from,
    command,
    args: textAt(payload, 'command_args'),
    ...(ANSWERS.has(command) && !isTyped(payload, from, env) && { isAnyones: true }),
    ...setupOf(payload, from, env),
  };
}

const ANSWERS: ReadonlySet<CommandArrival['command']> = new Set(['approve', 'reject', 'answer']);
const FOR_PEOPLE = /^disable-model-invocation: true$/m;

/**
 * Whether only a person can have given this command. The host tells us nothing about that (2.1.325): it
 * refuses a command of this front matter to the agent's tools, and does not expand it in a prompt that the
 * agent has scheduled. The plugin's commands have it; a command file of a project or a user may have been
 * changed, so it is read.
 */
function isTyped(payload: HookPayload, { project }: Sender, env: Environment): boolean {
  const name = textAt(payload, 'command_name');
  const scope = SOURCES.get(textAt(payload, 'command_source'));
  if (scope === 'plugin') return name.startsWith('dacapo:');
  if (scope === undefined || name.includes(':')) return false;
  const folder = commandsFolder(scope, { project, env, platform: process.platform });
  return FOR_PEOPLE.test(readText(join(folder, `${name}.md`)) ?? '');
}

const SOURCES: ReadonlyMap<string, 'plugin' | 'project' | 'user'> = new Map([
  ['plugin', 'plugin'],
  ['projectSettings', 'project'],
  ['userSettings', 'user'],
]);

/** The plugin's option `lift_cap` is in the environment. */
export function setupOf(payload: HookPayload, { project }: Sender, env: Environment): HostSetup {
  const isAsked = env['CLAUDE_PLUGIN_OPTION_LIFT_CAP'] === 'true';
  const hindrance = HINDRANCES.get(textAt(payload, 'permission_mode'));
  return {
    cap: capOf(env),
    liftCap: isAsked ? (home) => liftCap(project, home) : null,
    ...(hindrance !== undefined && { hindrance }),
  };
}

const ASKS =
  'this session asks you before edits and commands, and the loop waits until you answer. Shift+Tab ' +
  'changes that.';

/** The permission modes of 2.1.325 in which an agent can't work alone. */
const HINDRANCES: ReadonlyMap<string, string> = new Map([
  ['plan', "this session is in plan mode, so the agent can't change a file. Shift+Tab leaves it."],
  ['dontAsk', 'this session denies every edit and command that its settings do not allow.'],
  ['default', ASKS],
  ['manual', ASKS],
]);

/** The host repeats the words of the service in its last message, and has `error_details` only sometimes. */
function faultOf(payload: HookPayload, from: Sender): Arrival {
  const error = textAt(payload, 'error') || 'unknown';
  return {
    is: 'fault',
    from,
    error,
    detail: oneLine(
      textAt(payload, 'error_details') || textAt(payload, 'last_assistant_message'),
      MAX_DETAIL_CHARS,
    ),
    fatal: FATAL_WORDS[error] ?? null,
    login: LOGIN,
  };
}

/** What still runs or waits in a session at a stop. Most stops have none of it and never load this. */
export function backgroundOf(payload: HookPayload, attended: boolean): BackgroundTask[] {
  const tasks = tasksOf(payload['background_tasks']);
  return attended ? [...tasks, ...wakeUpsOf(payload['session_crons'])] : tasks;
}

const TASKS: ReadonlyMap<unknown, BackgroundTask['kind']> = new Map([
  ['subagent', 'agent'],
  ['workflow', 'agent'],
  ['shell', 'shell'],
]);
const OVER: readonly unknown[] = ['completed', 'failed', 'killed'];

function tasksOf(value: unknown): BackgroundTask[] {
  return recordsIn(value).flatMap((item): BackgroundTask[] => {
    const kind = TASKS.get(item['type']);
    if (kind === undefined || OVER.includes(item['status'])) return [];
    const description = textAt(item, 'command') || textAt(item, 'description');
    return [{ id: textAt(item, 'id'), kind, description }];
  });
}

/** Minute, hour, day and month, each as one number: how the host writes a single moment, in local time. */
const MOMENT = /^(\d+) (\d+) (\d+) (\d+) \*$/;

/**
 * Prompts that the session has scheduled for itself. They wake it only after an allowed stop. A recurring one
 * lets a loop wait once, like a background shell. Otherwise the loop would wait forever.
 */
export function wakeUpsOf(crons: unknown, now = new Date()): BackgroundTask[] {
  return recordsIn(crons).map((cron): BackgroundTask => {
    const { schedule, recurring } = cron;
    const due = recurring === true || typeof schedule !== 'string' ? null : momentOf(schedule, now);
    return {
      id: textAt(cron, 'id'),
      kind: recurring === true ? 'shell' : 'agent',
      description: textAt(cron, 'prompt'),
      ...(due !== null && { due: due.toISOString() }),
    };
  });
}

/** The moment of this year, or of the next one if it is long over. Null: no single moment. */
function momentOf(schedule: string, now: Date): Date | null {
  const [, minute, hour, day, month] = MOMENT.exec(schedule)?.map(Number) ?? [];
  if (minute === undefined || hour === undefined || day === undefined || month === undefined) return null;
  const inYear = (year: number) => new Date(year, month - 1, day, hour, minute);
  const moment = inYear(now.getFullYear());
  const isOver = now.getTime() - moment.getTime() > 24 * 60 * 60_000;
  return isOver ? inYear(now.getFullYear() + 1) : moment;
}

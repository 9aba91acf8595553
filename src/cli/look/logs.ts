/** `dacapo logs`: prints the journal as readable lines, once or as it grows. `--hook` prints the hook's log instead. */
import { existsSync, readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import type { Event } from '../../core/record/events.ts';
import { hasEnded } from '../../core/loop.ts';
import { sayEnded } from '../../text/to-person.ts';
import { homeAt } from '../../store/file/home.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { harmless, oneLine } from '../../core/words/sanitize.ts';
import { EXIT, fail, note, say, verbatim } from '../terminal/terminal.ts';
import { pickNewest } from '../loops.ts';
import { agentFiles, openAgentFile, type AgentAct, type AgentReader } from '../../live/agent-log.ts';
import { makeLogLines, type LogLines } from './log-lines.ts';
import { cliRuntime } from '../runtime.ts';
import type { Given } from '../command.ts';

const POLL_MS = 500;

export async function runLogs(options: Given<'follow' | 'hook' | 'agent' | 'json', 'id'>): Promise<number> {
  const { id, follow, hook, json, agent } = options;
  const runtime = cliRuntime();
  if (agent && (hook || json))
    return fail(
      `--agent is for people, and can't be given with ${hook ? '--hook' : '--json'}.`,
      'leave one of the two out.',
      EXIT.usage,
    );
  if (hook) return showHookLog(id, follow, runtime);
  const loop = pickNewest(id, 'logs', runtime);
  if (typeof loop === 'number') return loop;
  const open = runtime.store.open(loop.id);
  if (open === null) return fail(`loop ${loop.id} can't be read.`, 'dacapo list shows what is there.');
  try {
    await show(open, follow, json ? jsonNews(open) : newsOf(open, agent));
    if (open.broken() !== null)
      note(`The record has a line that is not an event: ${oneLine(open.broken() ?? '', 200)}`);
    if (follow && !json) say(sayEnded(open.loop()));
  } finally {
    open.close();
  }
  return EXIT.ok;
}

/** Prints what is new since the last call. */
type News = () => void;

function jsonNews(open: OpenLoop): News {
  const read = eventReader(open);
  return () => {
    const lines = read().map((event) => verbatim(JSON.stringify(event)));
    if (lines.length > 0) say(...lines);
  };
}

function newsOf(open: OpenLoop, agent: boolean): News {
  const lines = makeLogLines(Boolean(process.stdout.isTTY));
  const read = eventReader(open);
  const acts = agent ? openAgent(open) : null;
  return () => {
    const events = read();
    const told = acts === null ? events.map(lines.event) : mixed(events, acts(), lines);
    if (told.length > 0) say(...told);
  };
}

function eventReader(open: OpenLoop): () => readonly Event[] {
  let from = 0;
  return () => {
    const { events, upTo } = open.journal.read(from);
    from = upTo;
    return events;
  };
}

interface Acts {
  readonly pass: Event['at'] | null;
  readonly acts: readonly AgentAct[];
}

/** Returns what the agent did since the last call, file by file. */
function openAgent(open: OpenLoop): () => Acts[] {
  const readers = new Map<string, AgentReader>();
  return () =>
    agentFiles(open, open.journal.read(0).events, process.env).map((file) => {
      const reader = readers.get(file.path) ?? openAgentFile(file);
      readers.set(file.path, reader);
      return { pass: file.pass?.at ?? null, acts: reader.news() };
    });
}

/** Merges both in order of time. Acts without a time follow the start of their pass. */
function mixed(events: readonly Event[], files: readonly Acts[], lines: LogLines): string[] {
  const timed = files
    .flatMap(({ pass, acts }) => acts.map((act) => ({ at: Date.parse(act.at ?? pass ?? ''), act })))
    .sort((a, b) => a.at - b.at);
  const told: (string | null)[] = [];
  for (const event of events) {
    const isEarlier = ({ at }: { readonly at: number }) => at < Date.parse(event.at);
    for (const { act } of timed.splice(0, firstNot(timed, isEarlier))) told.push(lines.act(act));
    told.push(lines.event(event));
  }
  for (const { act } of timed) told.push(lines.act(act));
  return told.filter((line) => line !== null);
}

function firstNot<T>(list: readonly T[], holds: (one: T) => boolean): number {
  const at = list.findIndex((one) => !holds(one));
  return at === -1 ? list.length : at;
}

/** Following ends when the loop ends. */
function show(open: OpenLoop, follow: boolean, news: News): Promise<void> {
  news();
  if (!follow) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      news();
      if (!hasEnded(open.look())) return;
      clearInterval(timer);
      stop();
      news();
      resolve();
    };
    // The agent's acts are in other files than the journal, so we poll for them.
    const timer = setInterval(look, POLL_MS);
    const stop = open.journal.watch(look);
    // The journal may have grown, and the loop ended, before the watch began.
    look();
  });
}

async function showHookLog(id: string | undefined, follow: boolean, { store }: Runtime): Promise<number> {
  const { log } = homeAt(store.place());
  if (id !== undefined) return fail('hook.log is about all loops.', 'leave the ID out.', EXIT.usage);
  if (!existsSync(log))
    return fail(
      `the hook has written nothing yet: ${log} is not there.`,
      'dacapo doctor checks whether the hook is called.',
    );
  let shown = 0;
  const news = (): void => {
    const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    if (size === shown) return;
    const content = readFileSync(log);
    // If the file is shorter than before, it was rotated. The log quotes names from projects and hosts, so control
    // characters are made harmless.
    process.stdout.write(harmless(content.subarray(content.length < shown ? 0 : shown).toString('utf8')));
    shown = content.length;
  };
  news();
  if (follow)
    await new Promise<void>((resolve) => {
      watchFile(log, { interval: POLL_MS }, news);
      process.once('SIGINT', () => {
        unwatchFile(log, news);
        resolve();
      });
    });
  return EXIT.ok;
}

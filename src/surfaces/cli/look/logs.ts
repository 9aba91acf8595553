/**
 * `dacapo logs`: prints the journal as readable lines, once or as it grows. `--hook` prints the hook's log
 * instead.
 */
import { existsSync, readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import type { Event } from '#law/record/events.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import { sayEnded } from '#telling/person/to-person.ts';
import { homeAt } from '#store/file/home.ts';
import type { Runtime } from '#store/runtime.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { harmless, oneLine } from '#base/words/sanitize.ts';
import { EXIT, fail, note, say, verbatim, hanging, paint, failUsage } from '../terminal/terminal.ts';
import { pickNewest } from '../context.ts';
import {
  agentFiles,
  openAgentFile,
  toldAct,
  type AgentAct,
  type AgentReader,
  type ToldAct,
} from '#engine/look/agent-log.ts';
import type { Call, Given } from '../command.ts';
import { fold } from '#law/fold/index.ts';
import { labelForScreen, foldOutput } from '#surfaces/screen/terminal/clean-text.ts';
import { TONE_BRUSHES } from '#surfaces/screen/terminal/lines.ts';
import { tellEvent, type ToldEvent } from '#telling/event.ts';
import { iterationShown } from '#telling/person/status.ts';
import { clockTime } from '#telling/time.ts';

const POLL_MS = 500;
const MAX_TIME = 8.64e15;

export async function runLogs(
  options: Given<'follow' | 'hook' | 'agent' | 'json', 'id'>,
  { runtime }: Call,
): Promise<number> {
  const { id, follow, hook, json, agent } = options;
  if (agent && (hook || json))
    return failUsage(`--agent can't be given with ${hook ? '--hook' : '--json'}.`, 'leave one of them out.');
  if (hook) return showHookLog(id, follow, runtime);
  const loop = pickNewest(id, { verb: 'logs' }, runtime);
  if (typeof loop === 'number') return loop;
  const open = runtime.store.open(loop.id);
  if (open === null) return fail(`loop ${loop.id} can't be read.`, 'dacapo list shows the existing loops.');
  try {
    await show(open, follow, newsOf(open, json, agent));
    if (open.broken() !== null)
      note(`The record has a line that is not an event: ${oneLine(open.broken() ?? '', 200)}`);
    if (follow && !json) say(sayEnded(open.loop()));
  } finally {
    open.close();
  }
  return EXIT.ok;
}

type ShowNews = () => void;

function newsOf(open: OpenLoop, json: boolean, agent: boolean): ShowNews {
  const lines = makeLogLines(Boolean(process.stdout.isTTY));
  const acts = agent ? openAgent(open) : () => [];
  let from = 0;
  return () => {
    const { events, upTo } = open.journal.read(from);
    from = upTo;
    const told = json ? events.map((event) => verbatim(JSON.stringify(event))) : mixed(events, acts(), lines);
    if (told.length > 0) say(...told);
  };
}

type Acts = ReturnType<ReturnType<typeof openAgent>>;

function openAgent(open: OpenLoop) {
  const readers = new Map<string, AgentReader>();
  return () =>
    agentFiles(open, open.journal.read(0).events, process.env).map((file) => {
      const reader = readers.get(file.path) ?? openAgentFile(file);
      readers.set(file.path, reader);
      return { pass: file.pass?.at ?? null, acts: reader.news() };
    });
}

/**
 * Merges both in order of time, but keeps the events in theirs. Acts without a time follow the start of their
 * pass.
 */
function mixed(events: readonly Event[], files: Acts, lines: LogLines): string[] {
  let last = 0;
  const told = events.map((event) => {
    last = Math.max(last, Date.parse(event.at));
    return { at: last, line: () => lines.event(event) };
  });
  const acts = files.flatMap(({ pass, acts: all }) =>
    all.map((act) => ({ at: Date.parse(act.at ?? pass ?? '') || MAX_TIME, line: () => lines.act(act) })),
  );
  return [...told, ...acts]
    .toSorted((a, b) => a.at - b.at)
    .map(({ line }) => line())
    .filter((line) => line !== null);
}

function show(open: OpenLoop, follow: boolean, news: ShowNews): Promise<void> {
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
  if (id !== undefined)
    return failUsage("an ID can't be given with --hook: the log is about all loops.", 'leave it out.');
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
    // If the file is shorter than before, it was rotated. The log quotes names from projects and hosts, so
    // control characters are made harmless.
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

/** The log shows only enough of an answer to recognize it. The session has the full text. */
const SAID = { head: 12, tail: 4, line: 2_000 };
const FAILED = { head: 1, tail: 3, line: 400 };
const ITERATION_COLUMNS = 3;
const TYPE_COLUMNS = 11;
const DATE_CHARS = 10;

type LogLines = ReturnType<typeof makeLogLines>;

/** `isTerminal`: print the date on a line of its own when it changes, which leaves more room for the text. */
export function makeLogLines(isTerminal: boolean) {
  let loop: Loop | null = null;
  let day = '';
  const line = (at: string | null, word: string, text: string): string => {
    const time = at === null ? '' : clockTime(at);
    const isNewDay = isTerminal && time !== '' && time.slice(0, DATE_CHARS) !== day;
    if (time !== '') day = time.slice(0, DATE_CHARS);
    const shown = isTerminal ? time.slice(DATE_CHARS + 1).padEnd(8) : time.padEnd(19);
    const iteration = loop === null ? '' : String(iterationShown(loop));
    const left = `${paint.dim(shown)}  ${paint.dim(iteration.padStart(ITERATION_COLUMNS))}  ${word}  `;
    return [...(isNewDay ? [paint.dim(day)] : []), hanging(left, text)].join('\n');
  };
  return {
    event: (event: Event): string => {
      const told = tellEvent(event);
      const said = line(event.at, paintType(told), told.says);
      loop = fold(loop, event);
      return said;
    },
    act: (act: AgentAct): string | null => {
      const [told] = toldAct(act);
      return told === undefined ? null : line(act.at, paint.dim('agent'.padEnd(TYPE_COLUMNS)), sayAct(told));
    },
  };
}

function sayAct({ kind, name, text }: ToldAct): string {
  const label = labelForScreen(text);
  if (kind === 'tool') return `→ ${labelForScreen(name)}  ${label}`.trimEnd();
  if (kind === 'subagent') return `→ subagent ${labelForScreen(name)}: ${label}`;
  if (kind === 'warning') return label;
  const { head, hidden, tail } = foldOutput(text, kind === 'says' ? SAID : FAILED);
  const more = hidden === 0 || kind === 'failed' ? [] : [`(${hidden} more lines)`];
  const words = [...head, ...more, ...tail].map((part) => part.trim()).join(' ');
  return kind === 'says' ? words.trim() : `✗ ${words}`;
}

function paintType({ type, tone }: ToldEvent): string {
  const word = type.padEnd(TYPE_COLUMNS);
  const brush = type === 'verdict' ? 'bold' : TONE_BRUSHES[tone];
  return brush === null ? word : paint[brush](word);
}

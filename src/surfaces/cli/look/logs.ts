/** `dacapo logs`: the journal of a loop of this machine, or the log of the hook. */
import { existsSync, readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { hasEnded } from '#law/loop.ts';
import { sayEnded } from '#telling/person/ended.ts';
import { homeAt } from '#store/file/home.ts';
import type { Runtime } from '#store/runtime.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { harmless, oneLine } from '#base/words/sanitize.ts';
import { out } from '../terminal/output.ts';
import { EXIT, fail, failUsage } from '../terminal/terminal.ts';
import { pickNewest } from '../context.ts';
import { agentFiles, openAgentFile, type AgentReader } from '#engine/look/agent-log.ts';
import type { CommandCall, GivenFlags } from '../command.ts';
import type { LoopLog, PassActs } from './log-lines.ts';
import { runLogs, type LookRecord } from './verbs.ts';

const POLL_MS = 500;

type LogOptions = GivenFlags<'follow' | 'hook' | 'agent' | 'json', 'id'>;

export async function runLogsHere(options: LogOptions, { runtime }: CommandCall): Promise<number> {
  const { id, follow, hook, json, agent } = options;
  if (agent && (hook || json))
    return failUsage(`--agent can't be given with ${hook ? '--hook' : '--json'}.`, 'leave one of them out.');
  if (hook) return showHookLog(id, follow, runtime);
  return runLogs(options, logsHere(options, runtime));
}

function logsHere(
  { follow, agent }: GivenFlags<'follow' | 'agent'>,
  runtime: Runtime,
): Pick<LookRecord, 'withLog'> {
  return {
    withLog: async (id, show) => {
      const loop = pickNewest(id, { verb: 'logs' }, runtime);
      if (typeof loop === 'number') return loop;
      const open = runtime.store.open(loop.id);
      if (open === null)
        return fail(`loop ${loop.id} can't be read.`, 'dacapo list shows the existing loops.');
      try {
        return await show(readLog(open, follow, agent));
      } finally {
        open.close();
      }
    },
  };
}

function readLog(open: OpenLoop, follow: boolean, agent: boolean): LoopLog {
  const acts = agent ? openAgent(open) : () => [];
  let from = 0;
  return {
    news: () => {
      const { events, upTo } = open.journal.read(from);
      from = upTo;
      return { events, acts: acts() };
    },
    follow: (look) => (follow ? followJournal(open, look) : Promise.resolve()),
    sayUnread: () => {
      const broken = open.broken();
      return broken === null ? null : `The record has a line that is not an event: ${oneLine(broken, 200)}`;
    },
    ending: follow ? () => sayEnded(open.loop()) : null,
  };
}

function openAgent(open: OpenLoop): () => PassActs[] {
  const readers = new Map<string, AgentReader>();
  return () =>
    agentFiles(open, open.journal.read(0).events, process.env).map((file) => {
      const reader = readers.get(file.path) ?? openAgentFile(file);
      readers.set(file.path, reader);
      return { pass: file.pass?.at ?? null, acts: reader.news() };
    });
}

function followJournal(open: OpenLoop, news: () => void): Promise<void> {
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
    out.write(harmless(content.subarray(content.length < shown ? 0 : shown).toString('utf8')));
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

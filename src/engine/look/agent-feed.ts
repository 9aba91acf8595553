/** The agent's work as it happens: what it says and does in its newest pass, and what it said last. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, type Loop } from '#law/loop.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { cleanLine } from '#telling/story/clean.ts';
import { lastLines, lastSaid, openAgentFile } from './agent-log.ts';
import type { AgentAct, AgentFile, AgentReader } from './agent-log.ts';
import { namesIn } from '#base/files/paths.ts';

/** Enough for the last minutes of work. A transcript of a long session may have a hundred times as much. */
const RECENT_BYTES = 512 * 1024;
const GLANCE_BYTES = 128 * 1024;
const MAX_WORDS_CHARS = 300;
const STREAM = /^pass-.*\.jsonl$/;

/** `place`: the folder of the loop. A new pass is followed when it begins. */
export function openAgentFeed(look: () => Loop, place: string, env: Environment) {
  const newest = newestFile(place, env);
  let path: string | null = null;
  let reader: AgentReader | null = null;
  return {
    /**
     * What the agent said and did since the last call. The first call, or one after a long time, gives its
     * recent work.
     */
    news: (): readonly AgentAct[] => {
      const file = newest(look());
      if (file === null) return [];
      const rest = file.path === path ? [] : (reader?.news() ?? []);
      if (file.path !== path) {
        path = file.path;
        reader = openAgentFile(file, RECENT_BYTES);
      }
      return [...rest, ...(reader?.news() ?? [])];
    },
  };
}

type AgentSeen = ReturnType<typeof seenIn>;

export const NOTHING_SEEN: AgentSeen = { words: null, model: null };

export type AgentGlance = (loop: Loop, place: string) => AgentSeen;

/** Reads a file again only after it has grown. */
export function openGlance(env: Environment): AgentGlance {
  const known = new Map<string, { readonly find: FindFile; stamp: string; seen: AgentSeen }>();
  return (loop, place) => {
    const one = known.get(loop.id) ?? { find: newestFile(place, env), stamp: '', seen: NOTHING_SEEN };
    known.set(loop.id, one);
    const file = one.find(loop);
    if (file === null) return one.seen;
    const stamp = `${file.path} ${statSync(file.path, { throwIfNoEntry: false })?.size}`;
    if (one.stamp === stamp) return one.seen;
    const { words, model } = seenIn(file);
    one.stamp = stamp;
    one.seen = { words: words ?? one.seen.words, model: model ?? one.seen.model };
    return one.seen;
  };
}

function seenIn(file: AgentFile) {
  const lines = lastLines(file, GLANCE_BYTES);
  const words = lastSaid(lines, file);
  let model: string | null = null;
  for (const line of lines) if ((model = file.host.transcripts.modelOf(line)) !== null) break;
  return { words: words === null ? null : cleanLine(words, MAX_WORDS_CHARS), model };
}

type FindFile = (loop: Loop) => AgentFile | null;

function newestFile(place: string, env: Environment): FindFile {
  const stream = newestStream(place);
  const transcript = transcriptFile(env);
  return (loop) => (loop.driver === 'fresh' ? stream(loop) : transcript(loop));
}

/** Looks at each stream of a pass once, and then only at the newest. */
function newestStream(place: string): FindFile {
  const folder = join(place, 'evidence');
  const seen = new Set<string>();
  let best: { readonly path: string; readonly at: number } | null = null;
  return (loop) => {
    const news = join(place, 'news.jsonl');
    if (existsSync(news))
      return { path: news, host: hostOf(loop), project: loop.project, pass: null, since: null, isTold: true };
    for (const name of namesIn(folder).filter((name) => STREAM.test(name))) {
      if (seen.has(name)) continue;
      seen.add(name);
      const path = join(folder, name);
      const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (best === null || at >= best.at) best = { path, at };
    }
    return best && { path: best.path, host: hostOf(loop), project: loop.project, pass: null, since: null };
  };
}

/**
 * The host has a folder for each project, so a search takes a while. What an ended loop lacks is not searched
 * again.
 */
function transcriptFile(env: Environment): FindFile {
  let searched = '';
  let path: string | null = null;
  return (loop) => {
    const host = hostOf(loop);
    const session = loop.session.owner?.session;
    if (session === undefined) return null;
    if (searched !== session || (path === null && !hasEnded(loop))) {
      path = host.transcripts.fileOf(session, env);
      searched = session;
    }
    return path === null ? null : { path, host, project: loop.project, pass: null, since: loop.startedAt };
  };
}

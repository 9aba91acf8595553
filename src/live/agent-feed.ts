/** The agent's work as it happens: what it says and does in its newest pass, and what it said last. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop } from '../core/loop.ts';
import type { Environment } from '../hosts/arrival.ts';
import { HOST } from '../hosts/default-host.ts';
import { cleanLine } from './clean.ts';
import { openAgentFile, type AgentAct, type AgentFile, type AgentReader } from './agent-log.ts';

/** Enough for the last minutes of work. A transcript of a long session may have a hundred times as much. */
const RECENT = 512 * 1024;
const LAST_WORDS_IN = 128 * 1024;
const WORDS = 300;
const STREAM = /^pass-.*\.jsonl$/;

export interface AgentFeed {
  /** What the agent said and did since the last call. The first call gives its recent work. */
  readonly news: () => readonly AgentAct[];
}

/** `place`: the folder of the loop. A new pass is followed when it begins. */
export function openAgentFeed(look: () => Loop, place: string, env: Environment): AgentFeed {
  const newest = newestFile(place, env);
  let path: string | null = null;
  let reader: AgentReader | null = null;
  return {
    news: () => {
      const file = newest(look());
      if (file === null) return [];
      const rest = file.path === path ? [] : (reader?.news() ?? []);
      if (file.path !== path) {
        path = file.path;
        reader = openAgentFile(file, RECENT);
      }
      return [...rest, ...(reader?.news() ?? [])];
    },
  };
}

export interface LastWords {
  readonly of: (loop: Loop, place: string) => string | null;
}

/** Reads a file again only after it has grown. */
export function openLastWords(env: Environment): LastWords {
  const known = new Map<string, { readonly seen: string; readonly words: string | null }>();
  return {
    of: (loop, place) => {
      const file = newestFile(place, env)(loop);
      if (file === null) return null;
      const stat = statSync(file.path, { throwIfNoEntry: false });
      const seen = `${file.path} ${stat?.size}`;
      const before = known.get(loop.id);
      if (before?.seen === seen) return before.words;
      const words = lastSaid(openAgentFile(file, LAST_WORDS_IN).news()) ?? before?.words ?? null;
      known.set(loop.id, { seen, words });
      return words;
    },
  };
}

function lastSaid(acts: readonly AgentAct[]): string | null {
  const last = acts.findLast(({ what }) => what.is === 'says')?.what;
  return last?.is === 'says' ? cleanLine(last.text, WORDS) : null;
}

/** Looks at each stream of a pass once, and then only at the newest. */
function newestFile(place: string, env: Environment): (loop: Loop) => AgentFile | null {
  const seen = new Set<string>();
  let best: { readonly path: string; readonly at: number } | null = null;
  return ({ driver, owner, startedAt }) => {
    if (driver === 'hook') {
      const path = owner === null ? null : HOST.transcripts.fileOf(owner.session, env);
      return path === null ? null : { path, isTranscript: true, pass: null, since: startedAt };
    }
    for (const name of streamsIn(join(place, 'evidence'))) {
      if (seen.has(name)) continue;
      seen.add(name);
      const path = join(place, 'evidence', name);
      const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (best === null || at >= best.at) best = { path, at };
    }
    return best === null ? null : { path: best.path, isTranscript: false, pass: null, since: null };
  };
}

function streamsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => STREAM.test(name));
  } catch {
    return [];
  }
}

/**
 * What the plugins of ours send by the protocol `json`, and how they read an answer, for the suite of hosts.
 */
import type { Output } from '#hosts/port/arrival.ts';

type Told = Partial<Record<'prompt' | 'context' | 'reason' | 'message', string>> & {
  readonly continue?: boolean;
  readonly allow?: boolean;
};

function told(stdout: string): Told {
  return stdout === '' ? {} : (JSON.parse(stdout) as Told);
}

export const PLUGIN = {
  read: ({ stdout }: Output) => {
    const { prompt, context, reason, message } = told(stdout);
    return { toAgent: prompt ?? context ?? reason ?? '', toPerson: message ?? '' };
  },
  letsThrough: ({ stdout }: Output) => told(stdout).continue !== true && told(stdout).allow !== false,
};

export function pluginPayloads(host: string) {
  const from = { host, session: 's1', project: '/project', process: 77, turn: 't1' };
  return {
    stop: { ...from, event: 'stop', message: 'Done.', used: { costUsd: 0.1, tokens: 120 }, idle: false },
    prompt: { ...from, event: 'prompt', text: 'Do it.' },
    tool: { ...from, event: 'tool', tool: 'bash', input: { command: 'touch done.txt' }, id: 'c1' },
    'session-start': { ...from, event: 'session-start', source: 'resume' },
    'session-end': { ...from, event: 'session-end', reason: 'quit' },
  } as const;
}

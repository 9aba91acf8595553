/** What a session has used, counted from transcripts as the host writes them (2.1.325). */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import type { Loop } from '#law/loop.ts';
import { windowIn } from '#hosts/claude-code/context-window.ts';
import { costOf, type MessageUsage } from '#hosts/claude-code/usage-cost.ts';
import { lookAtTranscript } from '#hosts/claude-code/hook/transcript.ts';
import { countUsage } from '#hosts/claude-code/hook/usage.ts';
import { fileBlobs } from '#store/file/open-loop.ts';
import { MINUTE, after, claim, running, verdict } from '../../../law/given.ts';
import { temporaryFolder } from '../../../store/folder.ts';

interface Row {
  id?: string;
  model?: string;
  at?: number;
  input?: number;
  output?: number;
  usage?: object;
  text?: string;
}

function assistant({ id = 'm1', model = 'claude-opus-5-5', at = 1, text = 'x', ...row }: Row = {}): string {
  const usage = { input_tokens: row.input ?? 1_000, output_tokens: row.output ?? 100, ...row.usage };
  const message = { id, role: 'assistant', model, content: [{ type: 'text', text }], usage };
  return `${JSON.stringify({ isSidechain: false, message, requestedModel: model, type: 'assistant', timestamp: after(at * MINUTE) })}\n`;
}

/** A subagent's report, whose usage is counted in its own file. */
const report = `${JSON.stringify({ type: 'user', timestamp: after(MINUTE), toolUseResult: { usage: { output_tokens_details: { thinking_tokens: 0 }, input_tokens: 9e9, output_tokens: 9e9 } } })}\n`;

class Session {
  readonly dir = temporaryFolder();
  readonly transcript = join(this.dir, 's1.jsonl');
  readonly ledger = join(this.dir, 'usage.json');
  loop: Loop = running({ costUsd: 100, tokens: 1e9 });
  config: string | null = null;

  write(...rows: string[]): void {
    appendFileSync(this.transcript, rows.join(''));
  }

  agent(name: string, ...rows: string[]): void {
    const path = join(this.dir, 's1', 'subagents', name);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, rows.join(''));
  }

  tell(...events: Event[]): void {
    this.loop = events.reduce<Loop>((loop, event) => fold(loop, event) ?? loop, this.loop);
  }

  async count(): Promise<{ costUsd: number; tokens: number; note: string | null }> {
    const blobs = fileBlobs(this.dir);
    const ledger = {
      read: () => blobs.read('usage.json'),
      write: (content: string) => blobs.write('usage.json', content),
    };
    const { used, note } = await countUsage(this.transcript, this.loop, ledger, () => this.config);
    if (used === null) throw new Error('nothing was counted');
    return { ...used, note };
  }

  /** A whole stop: what was counted is told to the loop. */
  async stop(): Promise<{ costUsd: number; tokens: number; note: string | null }> {
    const { note, ...used } = await this.count();
    const n = this.loop.stops + 1;
    this.tell(claim(n), verdict(n, { used }));
    return { note, ...used };
  }
}

describe('tokens', () => {
  it('each message is counted once, however many rows it has', async () => {
    const session = new Session();
    session.write(assistant({ text: 'a' }), assistant({ text: 'b' }), report, assistant({ id: 'm2' }));
    expect(await session.stop()).toMatchObject({ tokens: 2_200, costUsd: expect.closeTo(0.012, 9) });
  });

  it('also when its rows straddle two looks, and only what a later row adds is new', async () => {
    const session = new Session();
    session.write(assistant({ output: 10 }));
    expect((await session.stop()).tokens).toBe(1_010);
    session.write(assistant({ output: 10 }), assistant({ output: 60 }), assistant({ id: 'm2' }));
    expect((await session.stop()).tokens).toBe(50 + 1_100);
    expect(session.loop.spent.tokens).toBe(1_010 + 50 + 1_100);
  });

  it('a row that is still being written is counted when it is whole', async () => {
    const session = new Session();
    const row = assistant();
    session.write(row.slice(0, 80));
    expect((await session.stop()).tokens).toBe(0);
    session.write(row.slice(80));
    expect((await session.stop()).tokens).toBe(1_100);
  });

  it('rows from before the loop do not count, nor what a person did while it was paused', async () => {
    const session = new Session();
    session.write(assistant({ id: 'old', at: -5 }), assistant({ id: 'mine', at: 1 }));
    session.tell({ type: 'paused', at: after(2 * MINUTE), by: 'session', why: 'command' });
    session.tell({
      type: 'resumed',
      at: after(9 * MINUTE),
      by: 'session',
      session: 's1',
      process: 100,
      prompt: 'p2',
      iterations: null,
    });
    session.write(assistant({ id: 'chat', at: 5 }), assistant({ id: 'again', at: 10 }));
    expect((await session.stop()).tokens).toBe(2_200);
  });

  it('subagents count, each from where its own count ended', async () => {
    const session = new Session();
    session.write(assistant());
    session.agent('agent-a.jsonl', assistant({ id: 'a1' }));
    expect((await session.stop()).tokens).toBe(2_200);
    session.agent('agent-a.jsonl', assistant({ id: 'a2' }));
    session.agent('agent-b.jsonl', assistant({ id: 'b1' }), assistant({ id: 'b2' }));
    expect((await session.stop()).tokens).toBe(3_300);
    expect((await session.stop()).tokens).toBe(0);
  });

  it('what a subagent wrote in the tick of the clock in which it was last counted is not lost', async () => {
    const session = new Session();
    const path = join(session.dir, 's1', 'subagents', 'agent-a.jsonl');
    const tick = new Date(after(MINUTE));
    session.agent('agent-a.jsonl', assistant({ id: 'a1' }));
    utimesSync(path, tick, tick);
    expect((await session.stop()).tokens).toBe(1_100);
    session.agent('agent-a.jsonl', assistant({ id: 'a2' }));
    utimesSync(path, tick, tick);
    expect((await session.stop()).tokens).toBe(1_100);
  });

  it('thousands of subagents: the ledger stays small, and none is counted twice', async () => {
    const session = new Session();
    session.write(assistant());
    for (let k = 0; k < 600; k++) session.agent(`agent-${k}.jsonl`, assistant({ id: `a${k}` }));
    expect((await session.stop()).tokens).toBe(601 * 1_100);
    expect((await session.stop()).tokens).toBe(0);
    expect(readFileSync(session.ledger).length).toBeLessThan(64_000);
  });

  it('a stop that was counted and then lost is told at the next one', async () => {
    const session = new Session();
    session.write(assistant());
    await session.count();
    session.write(assistant({ id: 'm2' }));
    expect((await session.stop()).tokens).toBe(2_200);
  });

  it('a ledger that is lost costs nothing that was told already', async () => {
    const session = new Session();
    session.write(assistant({ at: 0.5 }));
    await session.stop();
    rmSync(session.ledger);
    session.write(assistant({ id: 'm2', at: 2 }));
    expect((await session.stop()).tokens).toBe(1_100);
    writeFileSync(session.ledger, '{"torn":');
    session.write(assistant({ id: 'm3', at: 5 }));
    expect((await session.stop()).tokens).toBe(1_100);
  });

  it('a pass that wrote 12 MB is counted whole, rows longer than a chunk included', async () => {
    const session = new Session();
    const big = (id: string) => assistant({ id, text: 'x'.repeat(3 * 1024 * 1024) });
    session.write(big('m1'), big('m2'), assistant({ id: 'm3' }), big('m4'), big('m5'));
    expect((await session.stop()).tokens).toBe(5 * 1_100);
  });

  it('in a transcript far older than the loop only the end is read', async () => {
    const session = new Session();
    // Sparse: a row that would count if it were read, a gigabyte of nothing, what happened before the loop,
    // then the loop.
    writeFileSync(session.transcript, assistant({ id: 'first' }));
    truncateSync(session.transcript, 1024 ** 3);
    session.write('\n', assistant({ id: 'old', at: -9, text: 'x'.repeat(2 * 1024 * 1024) }), assistant());
    expect((await session.stop()).tokens).toBe(1_100);
  });

  it('without a transcript nothing is counted', async () => {
    expect((await new Session().count()).tokens).toBe(0);
  });
});

describe('money', () => {
  const usage = (over: Partial<MessageUsage>): MessageUsage => ({
    input: 0,
    output: 0,
    cacheRead: 0,
    cache5m: 0,
    cache1h: 0,
    searches: 0,
    fast: false,
    usOnly: false,
    ...over,
  });
  const million = 1_000_000;

  it.each<[string, Partial<MessageUsage>, number]>([
    ['claude-opus-5-5', { input: million }, 4],
    ['claude-opus-5-5', { output: million }, 20],
    ['claude-opus-5-5', { cacheRead: million }, 0.2],
    ['claude-opus-5-5', { cache5m: million }, 5],
    ['claude-opus-5-5', { cache1h: million }, 8],
    ['claude-opus-5-5', { input: million, fast: true }, 8],
    ['claude-opus-5-5', { input: million, usOnly: true }, 4.4],
    ['claude-opus-5-5', { searches: 3 }, 0.03],
    ['claude-opus-5', { input: million }, 5],
    ['claude-opus-4-20250514', { input: million }, 15],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', { output: million }, 15],
    ['claude-haiku-5-5', { input: 90_000 }, 0.009],
    ['claude-haiku-5-5', { input: 200_000 }, 0.1],
    ['somebody-elses-model', { input: million }, 150],
  ])('%s: %j is $%d', (model, used, usd) => expect(costOf(model, usage(used))).toBeCloseTo(usd, 9));

  it('an unknown model is priced like the dearest, and that is said once', async () => {
    const session = new Session();
    session.write(assistant({ model: 'gateway-x' }));
    const first = await session.stop();
    expect(first).toMatchObject({ costUsd: expect.closeTo(0.21, 9) });
    expect(first.note).toContain('gateway-x');
    session.write(assistant({ model: 'gateway-x', id: 'm2' }));
    expect((await session.stop()).note).toBeNull();
  });

  it("a person's own price comes first, and a config with a mistake changes nothing", async () => {
    const session = new Session();
    session.config = JSON.stringify({ prices: { 'claude-opus-5-5': { input: 1000, output: 0 } } });
    session.write(assistant());
    expect(await session.stop()).toMatchObject({ costUsd: expect.closeTo(1, 9), estimated: true });
    session.config = 'no JSON';
    session.write(assistant({ id: 'm2' }));
    expect((await session.stop()).costUsd).toBeCloseTo(0.006, 9);
  });

  it('what was written to the cache is split by how long it is kept', async () => {
    const session = new Session();
    const usage = {
      cache_creation_input_tokens: 3_000,
      cache_read_input_tokens: 10_000,
      cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 2_000 },
    };
    session.write(assistant({ input: 0, output: 0, usage }));
    const { tokens, costUsd } = await session.stop();
    expect(tokens).toBe(13_000);
    expect(costUsd).toBeCloseTo((1_000 * 5 + 2_000 * 8 + 10_000 * 0.2) / million, 9);
  });
});

describe('the context', () => {
  const since = { offset: 0, waiting: 0 };

  it('is that of the last message of the main chain, with all that went in and came out', () => {
    const session = new Session();
    const usage = { cache_creation_input_tokens: 20, cache_read_input_tokens: 100_000 };
    session.write(assistant(), assistant({ id: 'm2', input: 3, output: 4, usage }), report);
    expect(lookAtTranscript(session.transcript, since, after(0)).context).toEqual({
      tokens: 100_027,
      window: 1_000_000,
    });
  });

  it('is not known where no message was read', () => {
    const session = new Session();
    session.write(report);
    expect(lookAtTranscript(session.transcript, since, after(0)).context).toBeNull();
  });

  it.each([
    ['claude-opus-5-5', 1_000_000],
    ['claude-sonnet-5', 1_000_000],
    ['claude-opus-4-8', 1_000_000],
    ['claude-opus-4-7', 1_000_000],
    ['claude-opus-4-6', 200_000],
    ['claude-opus-4-1-20250805', 200_000],
    ['claude-opus-4-20250514', 200_000],
    ['claude-sonnet-4-5', 200_000],
    ['claude-sonnet-4-6[1m]', 1_000_000],
    ['claude-haiku-4-5-20251001', 200_000],
    ['my-model', 1_000_000],
  ])('%s has a window of %i', (model, window) => {
    expect(windowIn(`"requestedModel":"${model}","gitBranch":"fix-sonnet-4"`)).toBe(window);
  });
});

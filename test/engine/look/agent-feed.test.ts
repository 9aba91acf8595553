/** What the agent says and does, from the stream of a pass and from a transcript, as the files grow. */
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAgentFeed, openGlance } from '#engine/look/agent-feed.ts';
import { openIndex } from '#engine/look/loop-index.ts';
import { Stage } from '../hearing/stage.ts';

const LATER = '2099-01-01T00:00:00.000Z';

function said(text: string, at: string | null = null): string {
  const message = { id: 'm', model: 'claude-opus-4', content: [{ type: 'text', text }] };
  return `${JSON.stringify({ type: 'assistant', ...(at !== null && { timestamp: at }), message })}\n`;
}

async function inSession(): Promise<{ stage: Stage; file: string }> {
  const stage = new Stage();
  const folder = join(stage.project, '..', 'config', 'projects', 'p');
  mkdirSync(folder, { recursive: true });
  stage.env = { CLAUDE_CONFIG_DIR: join(stage.project, '..', 'config') };
  await stage.start('Fix it.');
  return { stage, file: join(folder, 's1.jsonl') };
}

describe('in a session', () => {
  it('follows the transcript from the start of the loop on', async () => {
    const { stage, file } = await inSession();
    writeFileSync(file, said('before the loop', '2001-01-01T00:00:00.000Z') + said('On it.', LATER));
    const { id } = stage.loop();
    const feed = openAgentFeed(() => stage.loop(), stage.store.place(id), stage.env);
    expect(feed.news()).toEqual([{ at: LATER, what: { is: 'says', text: 'On it.' } }]);
    expect(feed.news()).toEqual([]);
    const [half, rest] = [said('More.', LATER).slice(0, 20), said('More.', LATER).slice(20)];
    appendFileSync(file, half);
    expect(feed.news()).toEqual([]);
    appendFileSync(file, rest);
    expect(feed.news()).toMatchObject([{ what: { text: 'More.' } }]);
  });

  it('the card has the last words', async () => {
    const { stage, file } = await inSession();
    const index = openIndex(null, stage.runtime());
    expect(index.look().cards[0]?.lastWords).toBeNull();
    writeFileSync(file, said('On it.', LATER));
    expect(index.look().cards[0]).toMatchObject({ lastWords: 'On it.', model: 'claude-opus-4' });
    appendFileSync(file, said('The parser\n\nis fixed.', LATER));
    expect(index.look().cards[0]?.lastWords).toBe('The parser is fixed.');
  });

  it('of a long transcript only the end is read', async () => {
    const { stage, file } = await inSession();
    writeFileSync(file, said('x'.repeat(2_000_000), LATER) + said('The end.', LATER));
    const { id } = stage.loop();
    const place = stage.store.place(id);
    expect(openAgentFeed(() => stage.loop(), place, stage.env).news()).toMatchObject([
      { what: { text: 'The end.' } },
    ]);
    expect(openGlance(stage.env)(stage.loop(), place).words).toBe('The end.');
  });
});

describe('after a night without a look', () => {
  it('only the end is read, however much was written', async () => {
    const { stage, file } = await inSession();
    writeFileSync(file, said('On it.', LATER));
    const { id } = stage.loop();
    const feed = openAgentFeed(() => stage.loop(), stage.store.place(id), stage.env);
    expect(feed.news()).toHaveLength(1);
    appendFileSync(file, said('step', LATER).repeat(100_000) + said('The end.', LATER));
    const news = feed.news();
    expect(news.length).toBeLessThan(10_000);
    expect(news.at(-1)).toMatchObject({ what: { text: 'The end.' } });
    expect(feed.news()).toEqual([]);
  });
});

describe('in passes', () => {
  it('follows the newest pass, and the next one when it begins', async () => {
    const stage = new Stage();
    await stage.start('Fix it.');
    const { id } = stage.loop();
    const place = stage.store.place(id);
    const folder = join(place, 'evidence');
    mkdirSync(folder, { recursive: true });
    const stream = (name: string, text: string, at: number) => {
      appendFileSync(join(folder, name), said(text));
      utimesSync(join(folder, name), at, at);
    };
    stream('pass-2.jsonl', 'second', 2_000);
    stream('pass-1.jsonl', 'first', 1_000);
    writeFileSync(join(folder, 'stop-1-check.txt'), 'no stream');
    const feed = openAgentFeed(() => ({ ...stage.loop(), driver: 'fresh' }), place, {});
    const news = () => feed.news().map(({ what }) => (what.is === 'says' ? what.text : what.is));
    expect(news()).toEqual(['second']);
    stream('pass-2.jsonl', 'the end of the second', 2_500);
    stream('pass-3.jsonl', 'third', 3_000);
    expect(news()).toEqual(['the end of the second', 'third']);
    expect(news()).toEqual([]);
  });
});

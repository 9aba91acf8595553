/** The report of a loop in its formats, with text from outside that would break each of them. */
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { reportInHtml } from '#telling/report/html.ts';
import { reportInMarkdown } from '#telling/report/markdown.ts';
import type { LoopReport } from '#telling/report/report-model.ts';
import { buildReport } from '#engine/look/read-report.ts';
import type { Count } from '#hosts/port/arrival.ts';
import { withSnakeKeys } from '#telling/story/snake-keys.ts';
import { passes } from '../../law/given.ts';
import { DONE, Stage } from '../hearing/stage.ts';

const EVIL = '<script>alert(1)</script> `x` [a](javascript:alert(1)) | *b* "q" \u001b[31m';

async function reported(task: string, work: (stage: Stage) => Promise<void>): Promise<LoopReport> {
  const stage = new Stage();
  await stage.start(task);
  await work(stage);
  const open = stage.store.open(stage.loop().id);
  if (open === null) throw new Error('no loop');
  return buildReport(open, stage.runtime());
}

async function refusedOnce(): Promise<LoopReport> {
  const task = `Fix it. ${EVIL.replaceAll('"', "'")} --check "echo '<b>output</b>' && test -f done.txt" --completion-promise COMPLETE`;
  return reported(task, async (stage) => {
    await stage.stop('Working.');
    await stage.stop(DONE, { from: { prompt: 'p2' } });
    stage.write('', { file: 'done.txt' });
    await stage.stop(DONE, { from: { prompt: 'p3' } });
  });
}

describe('the report', () => {
  it('tells what was asked, each claim with its proof, and why it ended', async () => {
    const report = await refusedOnce();
    expect(report.asked).toMatch(/^Fix it\./);
    expect(report.loop.status).toBe('completed');
    expect(report.figures).toMatchObject({ iterations: 3, claims: 2, refused: 1 });
    const iterations = report.story.filter((entry) => entry.is === 'iteration');
    expect(iterations.map(({ claim, verdict }) => [claim, verdict?.is])).toEqual([
      ['none', 'continue'],
      ['done', 'continue'],
      ['done', 'complete'],
    ]);
    expect(iterations[1]?.checks[0]).toMatchObject({ is: 'failed', output: '<b>output</b>' });
    expect(report.leftOut).toBe(0);
  });

  it('draws a bar for each iteration, and none for a stop that only waited', async () => {
    const report = await reported(
      'Fix it. --check "test -f a || exit 1; test -f b || exit 75"',
      async (stage) => {
        await stage.stop('Working.');
        stage.write('', { file: 'a' });
        await stage.stop('Waiting.', { from: { prompt: 'p2' } });
        stage.write('', { file: 'b' });
        await stage.stop('Done.', { from: { prompt: 'p3' } });
      },
    );
    expect(report.story.filter((entry) => entry.is === 'iteration')).toHaveLength(3);
    expect(report.figures.iterations).toBe(2);
    expect(reportInHtml(report).match(/<rect /g)).toHaveLength(2);
  });

  it('has what the agent said, in one line and without our tags, and calls an ordinary stop no claim', async () => {
    const report = await reported('Write it. --check "test -f done.txt"', async (stage) => {
      await stage.stop('**add** is in.\n\nmul and neg are missing.', { from: { prompt: 'p2' } });
      await stage.stop('<promise>COMPLETE</promise>', { from: { prompt: 'p3' } });
      stage.write('', { file: 'done.txt' });
      await stage.stop(`All in. ${EVIL}`, { from: { prompt: 'p4' } });
    });
    const iterations = report.story.filter((entry) => entry.is === 'iteration');
    expect(iterations.map(({ claim, said }) => [claim, said?.slice(0, 40) ?? null])).toEqual([
      ['none', '**add** is in. mul and neg are missing.'],
      ['none', null],
      ['none', 'All in. <script>alert(1)</script> `x` [a'],
    ]);
    expect(report.figures).toMatchObject({ iterations: 3, claims: 0, refused: 0 });
    expect(reportInMarkdown(report)).toContain('> \\*\\*add\\*\\* is in. mul and neg are missing.');
    expect(reportInHtml(report)).toContain(
      '<blockquote>**add** is in. mul and neg are missing.</blockquote>',
    );
    for (const shown of [reportInMarkdown(report), reportInHtml(report)]) {
      expect(shown).not.toContain('claim refused');
      expect(shown).not.toContain('<script>alert');
    }
  });

  it('marks a check that says "not yet" as neither held nor failed', async () => {
    const report = await reported('Ship it. --check "exit 75"', async (stage) => {
      await stage.stop('Pushed.', { from: { prompt: 'p2' } });
    });
    expect(reportInMarkdown(report)).toContain('· `exit 75` says "not yet" (exit code 75)');
  });

  it('names the files that changed', async () => {
    const report = await refusedOnce();
    expect(report.files).toEqual({ files: ['done.txt'], which: 'since' });
  });

  it('leaves out the middle of a long story', async () => {
    const stage = new Stage();
    await stage.start('Fix it. --max-iterations 2000');
    const open = stage.store.open(stage.loop().id);
    if (open === null) throw new Error('no loop');
    for (const event of passes(900)) open.write({ ...event, at: stage.now() });
    const report = await buildReport(open, stage.runtime());
    expect(report.story.length).toBeLessThan(500);
    expect(report.leftOut + report.story.length).toBe(902);
    expect(reportInMarkdown(report)).toContain(`${report.leftOut} entries of the story`);
    expect(reportInHtml(report)).toContain(`${report.leftOut} entries of the story`);
  });

  it('has names for programs', async () => {
    expect(withSnakeKeys(await refusedOnce())).toMatchObject({
      loop: { cost_usd: 0, requests: [] },
      done_when: expect.any(String),
      story: expect.arrayContaining([expect.objectContaining({ judged_at: expect.any(String) })]),
    });
  });
});

describe('the cost', () => {
  const shown = (report: LoopReport) => [reportInMarkdown(report), reportInHtml(report)];
  const count = (): Promise<Count> => Promise.resolve({ used: { costUsd: 0.5, tokens: 1_200 }, note: null });

  it('of a session without a budget was not counted, and nobody reads that it was nothing', async () => {
    const report = await reported('Fix it.', async (stage) => {
      await stage.stop('Working.', { count });
    });
    for (const text of shown(report)) {
      expect(text).toContain('not counted');
      expect(text).not.toMatch(/\$\d|\d tokens/);
    }
  });

  it('that is estimated from tokens is called so', async () => {
    const used = { costUsd: 0.5, tokens: 1_200, estimated: true };
    const report = await reported('Fix it. --max-cost 2', async (stage) => {
      await stage.stop('Working.', { count: () => Promise.resolve({ used, note: null }) });
    });
    for (const text of shown(report)) expect(text).toContain('about $0.50');
  });

  it.each([
    ['--max-cost 2', '$0.50 of $2.00'],
    ['--max-tokens 1m', '$0.50'],
  ])('of a session with %s is %s', async (limit, words) => {
    const report = await reported(`Fix it. ${limit}`, async (stage) => {
      await stage.stop('Working.', { count });
    });
    for (const text of shown(report)) {
      expect(text).toContain(words);
      expect(text).toContain('1.2k');
      expect(text).not.toContain('not counted');
    }
  });

  it('of a budget that nothing was used of is zero', async () => {
    const report = await reported('Fix it. --max-cost 2', async () => {});
    expect(reportInMarkdown(report)).toContain('$0.00 of $2.00');
  });
});

describe('the page', () => {
  it('holds no script, loads nothing, and shows what came from outside as text', async () => {
    const html = reportInHtml(await refusedOnce());
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|javascript:[^&]*"/i);
    expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
    expect(html).toContain('&#60;b&#62;output&#60;/b&#62;');
    expect(html).toContain('default-src &#39;none&#39;');
    expect(html).not.toContain('\u001b');
    for (const [, url] of html.matchAll(/(?:src|href)="([^"]*)"/g)) expect(url).toBe('');
  });

  it('is one whole document with a heading for each part', async () => {
    const html = reportInHtml(await refusedOnce());
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html.match(/<h2>[^<]*/g)).toEqual([
      '<h2>What was asked',
      '<h2>When it is done',
      '<h2>What was done',
      '<h2>Files changed',
      '<h2>Details',
    ]);
    for (const tag of ['main', 'article', 'ol', 'ul', 'dl', 'details', 'li', 'p', 'pre'])
      expect([tag, html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length]).toEqual([
        tag,
        html.match(new RegExp(`</${tag}>`, 'g'))?.length,
      ]);
  });
});

describe('the Markdown', () => {
  it('renders what came from outside as text', async () => {
    const rendered = new MarkdownIt({ html: true }).render(reportInMarkdown(await refusedOnce()));
    expect(rendered).not.toMatch(/<script|<b>|<a |<em>b</);
    expect(rendered).toContain('&lt;script&gt;');
    expect(rendered).toContain('<h3>Iteration 3</h3>');
    expect(rendered).toContain('<code>done.txt</code>');
  });
});

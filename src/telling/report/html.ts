/**
 * The report as one page that needs nothing else: no script, no file, no network. Everything from outside is
 * escaped, and a policy in the page keeps anything from being loaded.
 */
import { duration } from '#law/words/phrases.ts';
import { clockTime } from '../time.ts';
import { sayCostFigure, sayTokens } from '#law/words/figures.ts';
import type { EventTone } from '../event.ts';
import type { CardGate, LoopCard } from '../story/card.ts';
import { costWords } from '../story/rows.ts';
import type { LoopReport, ReportEntry, ReportIteration } from './report-model.ts';
import { STYLE } from './style.ts';
import { iterationWords, storyParts, reportWords, type ReportRow } from './words.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const MAX_BARS_DRAWN = 240;

export function reportInHtml(report: LoopReport): string {
  const { loop, asked, doneWhen, limits, madeAt } = report;
  const { title, ending, facts, missing, filesBy, files } = reportWords(report);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} · Da Capo</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="eyebrow">Da Capo · report of loop ${escaped(loop.id)}</p>
<h1>${escaped(title)}</h1>
<p class="lead">${pill(loop.status, loop.tone)}<span>${rich(ending)}</span></p>
${tiles(report)}
${strip(report)}
<h2>What was asked</h2>
<pre tabindex="0">${escaped(asked)}</pre>
<h2>When it is done</h2>
${gateList(loop.gates)}
<p class="soft">Done when ${rich(doneWhen)}. Limits: ${escaped(limits)}.</p>
<h2>What was done</h2>
${story(report)}
${missing.length === 0 ? '' : `<h2>Still missing</h2>\n${list(missing.map(rich))}`}
<h2>Files changed</h2>
<p class="soft">${escaped(filesBy)}</p>
${list(files.map(rich), 'files')}
<h2>Details</h2>
<dl class="facts">${facts
    .map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
    .join('')}</dl>
<footer>Made by Da Capo at ${escaped(clockTime(madeAt))}.
The full record is on the machine that ran the loop: <code>dacapo logs ${escaped(loop.id)}</code></footer>
</main>
</body>
</html>
`;
}

/** Text in an element or in an attribute with double quotes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A sentence of ours: what stands between backticks is code. */
function rich(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part)))
    .join('');
}

function pill(text: string, tone: LoopCard['tone'] | EventTone): string {
  return `<span class="pill ${tone}">${escaped(text)}</span>`;
}

function tiles({ loop, figures }: LoopReport): string {
  const limit = loop.iterations === null ? 'no limit' : `limit ${loop.iterations}`;
  const all: [string, string, string][] = [
    ['Iterations', String(figures.iterations), limit],
    ['Work', duration(loop.workedMs), `${duration(loop.waitedMs)} waiting`],
    loop.isCounted
      ? ['Cost', sayCostFigure(loop, loop.maxCostUsd), sayTokens(loop.tokens)]
      : ['Cost', '–', 'not counted'],
    ['Claims', String(figures.claims), `${figures.refused} refused`],
  ];
  const inner = all.map(
    ([name, value, aside]) =>
      `<div class="tile"><dt>${escaped(name)}</dt>` +
      `<dd>${escaped(value)}<small>${escaped(aside)}</small></dd></div>`,
  );
  return `<dl class="tiles">${inner.join('')}</dl>`;
}

function strip({ story: entries }: LoopReport): string {
  // A stop that was let through ended no iteration.
  const iterations = entries
    .filter((entry) => entry.is === 'iteration')
    .filter(({ iteration }) => iteration !== null)
    .slice(-MAX_BARS_DRAWN);
  if (iterations.length < 2) return '';
  const most = Math.max(1, ...iterations.map(({ ms }) => ms));
  const width = Math.min(28, 860 / iterations.length);
  const bars = iterations.map(({ title, ms, word, tone }, at) => {
    const height = 6 + (58 * Math.max(0, ms)) / most;
    const words = `${title}: ${duration(ms)}, ${word}`;
    return (
      `<rect class="${tone}" x="${(at * width).toFixed(1)}" y="${(68 - height).toFixed(1)}" ` +
      `width="${Math.max(1, width * 0.75).toFixed(1)}" height="${height.toFixed(1)}" ` +
      `rx="2"><title>${escaped(words)}</title></rect>`
    );
  });
  const label = 'role="img" aria-label="Duration and verdict of each iteration"';
  const view = `viewBox="0 0 860 72" preserveAspectRatio="xMinYMax meet" ${label}`;
  return `<svg class="strip" ${view}>${bars.join('')}</svg>
<p class="soft">Time of each iteration, in the colour of its verdict.</p>`;
}

function gateList(gates: readonly CardGate[]): string {
  const items = gates.map(({ is, kind, wanted, seen }) => {
    const mark = is === 'held' ? '✓' : is === 'failing' ? '✗' : '·';
    const result = seen === null ? '' : ` <span class="soft">${escaped(seen)}</span>`;
    return (
      `<span class="mark ${MARKS[mark]}">${mark}</span><b>${escaped(kind)}</b> ` +
      `<code>${escaped(wanted)}</code>${result}`
    );
  });
  return `<article>${list(items)}</article><p></p>`;
}

function story(report: LoopReport): string {
  if (report.story.length === 0) return '<p class="soft">Nothing yet.</p>';
  const gap = (words: string) => `<li><p class="moment">${escaped(words)}</p></li>`;
  return `<ol class="story">\n${storyParts(report, entryItem, gap).join('\n')}\n</ol>`;
}

function entryItem(entry: ReportEntry): string {
  const inner =
    entry.is === 'iteration'
      ? iterationArticle(entry)
      : `<p class="moment"><b>${escaped(entry.type)}</b> ${rich(entry.says)} <time ` +
        `datetime="${escaped(entry.at)}">${escaped(clockTime(entry.at))}</time></p>`;
  return `<li class="${entry.tone}">${inner}</li>`;
}

function iterationArticle(entry: ReportIteration): string {
  const { said, ms, stoppedAt, word, tone } = entry;
  const { heading, claim, rows, notes } = iterationWords(entry);
  const aside = [duration(ms), ...costWords(entry), clockTime(stoppedAt)].join(' · ');
  return `<article>
<header><h3>${escaped(heading)}</h3>${pill(word, tone)}<span class="soft">${escaped(aside)}</span></header>
<p>${escaped(claim)}</p>
${said === null ? '' : `<blockquote>${escaped(said)}</blockquote>`}
${list(rows.map(rowContent))}
${notes.map((note) => `<p class="soft">${rich(note)}</p>`).join('')}
</article>`;
}

const MARKS: Readonly<Record<ReportRow['mark'], 'good' | 'bad' | 'soft'>> = {
  '✓': 'good',
  '✗': 'bad',
  '·': 'soft',
  '→': 'soft',
};

function rowContent({ mark, words, check }: ReportRow): string {
  const from = check?.evidence ? `output, from ${check.evidence}` : 'output';
  const output = check?.output
    ? `<details><summary>${escaped(from)}</summary><pre ` +
      `tabindex="0">${escaped(check.output)}</pre></details>`
    : '';
  return `<span class="mark ${MARKS[mark]}">${mark}</span>${rich(words)}${output}`;
}

function list(items: readonly string[], of = ''): string {
  if (items.length === 0) return '';
  return `<ul class="${of}">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

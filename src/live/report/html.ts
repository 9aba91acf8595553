/**
 * The report as one page that needs nothing else: no script, no file, no network. Everything from outside is escaped,
 * and a policy in the page keeps anything from being loaded.
 */
import { duration } from '../../core/words/phrases.ts';
import { clockTime } from '../../text/time.ts';
import { sayCount, sayUsd } from '../../core/words/figures.ts';
import type { CardGate, LoopCard } from '../card.ts';
import type { StoryMoment } from '../story.ts';
import type { LoopReport, ReportCheck, ReportEntry, ReportIteration } from './report.ts';
import { STYLE } from './style.ts';
import {
  factsOf,
  headlineOf,
  reasonsOf,
  sayFilesOf,
  sayVerdictOf,
  sayClaim,
  sayEnd,
  sayFilesBy,
  sayLeftOut,
} from './words.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const FILES = 500;
const BARS = 240;

type Shade = 'good' | 'bad' | 'warn' | 'calm' | '';

export function reportInHtml(report: LoopReport): string {
  const { loop, asked, doneWhen, limits, missing, files, madeAt } = report;
  const title = headlineOf(loop);
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
<p class="lead">${pill(loop.status, shadeOf(loop))}<span>${rich(sayEnd(loop))}</span></p>
${tiles(report)}
${strip(report)}
<h2>What was asked</h2>
<pre tabindex="0">${escaped(asked)}</pre>
<h2>When it is done</h2>
${gateList(loop.gates)}
<p class="soft">Done when ${rich(doneWhen)}. Limits: ${escaped(limits)}.</p>
<h2>What was done</h2>
${story(report)}
${missing.length === 0 || loop.status === 'completed' ? '' : `<h2>Still missing</h2>\n${list(missing.map((one) => rich(one)))}`}
<h2>Files changed</h2>
<p class="soft">${escaped(sayFilesBy(files))}</p>
${fileList(files?.files ?? [])}
<h2>Details</h2>
<dl class="facts">${factsOf(report)
    .map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
    .join('')}</dl>
<footer>Made by Da Capo at ${escaped(clockTime(madeAt))}. The full record is on the machine that ran the loop: <code>dacapo logs ${escaped(loop.id)}</code></footer>
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

function pill(text: string, shade: Shade): string {
  return `<span class="pill ${shade}">${escaped(text)}</span>`;
}

function shadeOf({ tone }: LoopCard): Shade {
  switch (tone) {
    case 'working':
    case 'waiting':
      return 'calm';
    case 'resting':
    case 'needs-you':
      return 'warn';
    case 'done':
      return 'good';
    case 'failed':
      return 'bad';
    case 'over':
      return '';
  }
}

function tiles({ loop, figures }: LoopReport): string {
  const all: [string, string, string][] = [
    [
      'Iterations',
      String(figures.iterations),
      loop.iterations === null ? 'no limit' : `limit ${loop.iterations}`,
    ],
    ['Work', duration(loop.workedMs), `${duration(loop.waitedMs)} waiting`],
    loop.isCounted
      ? ['Cost', sayUsd(loop.costUsd), `${sayCount(loop.tokens)} tokens`]
      : ['Cost', '–', 'not counted'],
    ['Claims', String(figures.claims), `${figures.refused} refused`],
  ];
  const inner = all.map(
    ([name, value, aside]) =>
      `<div class="tile"><dt>${escaped(name)}</dt><dd>${escaped(value)}<small>${escaped(aside)}</small></dd></div>`,
  );
  return `<dl class="tiles">${inner.join('')}</dl>`;
}

/** One bar per iteration: its height is the duration, its colour the verdict. */
function strip({ story: entries }: LoopReport): string {
  const iterations = entries.filter((entry) => entry.is === 'iteration').slice(-BARS);
  if (iterations.length < 2) return '';
  const times = iterations.map(({ beganAt, stoppedAt }) =>
    Math.max(1, Date.parse(stoppedAt) - Date.parse(beganAt)),
  );
  const most = Math.max(...times);
  const width = Math.min(28, 860 / iterations.length);
  const bars = iterations.map((entry, at) => {
    const height = 6 + (58 * (times[at] ?? 0)) / most;
    const words = `${titleOf(entry)}: ${duration(times[at] ?? 0)}, ${entry.verdict?.is ?? 'not judged'}`;
    return `<rect class="${verdictShade(entry) || 'calm'}" x="${(at * width).toFixed(1)}" y="${(68 - height).toFixed(1)}" width="${Math.max(1, width * 0.75).toFixed(1)}" height="${height.toFixed(1)}" rx="2"><title>${escaped(words)}</title></rect>`;
  });
  return `<svg class="strip" viewBox="0 0 860 72" preserveAspectRatio="xMinYMax meet" role="img" aria-label="Duration and verdict of each iteration">${bars.join('')}</svg>
<p class="soft">Time of each iteration, in the colour of its verdict.</p>`;
}

function gateList(gates: readonly CardGate[]): string {
  const items = gates.map(({ is, kind, wanted, seen }) => {
    const [sign, shade] = is === 'held' ? ['✓', 'good'] : is === 'failing' ? ['✗', 'bad'] : ['·', 'soft'];
    return `<li><span class="mark ${shade}">${sign}</span><b>${escaped(kind)}</b> <code>${escaped(wanted)}</code>${seen === null ? '' : ` <span class="soft">${escaped(seen)}</span>`}</li>`;
  });
  return `<article><ul>${items.join('')}</ul></article><p></p>`;
}

function story({ story: entries, leftOut }: LoopReport): string {
  if (entries.length === 0) return '<p class="soft">Nothing yet.</p>';
  const items = entries.map((entry, at) => {
    const gap = leftOut > 0 && at > 0 && entry.seq > (entries[at - 1]?.seq ?? 0) + 1;
    const before = gap ? `<li><p class="moment">${escaped(sayLeftOut(leftOut))}</p></li>\n` : '';
    return before + entryItem(entry);
  });
  return `<ol class="story">\n${items.join('\n')}\n</ol>`;
}

function entryItem(entry: ReportEntry): string {
  if (entry.is === 'iteration') return `<li class="${verdictShade(entry)}">${iterationArticle(entry)}</li>`;
  const { at, type, says, tone } = entry;
  return `<li class="${MOMENTS[tone]}"><p class="moment"><b>${escaped(type)}</b> ${rich(says)} <time datetime="${escaped(at)}">${escaped(clockTime(at))}</time></p></li>`;
}

const MOMENTS: Readonly<Record<StoryMoment['tone'], Shade>> = {
  plain: '',
  good: 'good',
  warning: 'warn',
  bad: 'bad',
  person: 'calm',
};

function iterationArticle(entry: ReportIteration): string {
  const { item, claim, said, checks, sights, hooks, verdict, used, commit, beganAt, stoppedAt } = entry;
  const aside = [
    duration(Date.parse(stoppedAt) - Date.parse(beganAt)),
    ...(used === null ? [] : [sayUsd(used.costUsd)]),
    clockTime(stoppedAt),
  ];
  const filesOf = sayFilesOf(entry);
  const rows = [
    ...checks.map(checkItem),
    ...sights.map(({ holds, says }) => marked(holds, rich(says))),
    ...hooks.map((hook) => `<li><span class="mark soft">·</span>stop hook ${escaped(hook)}</li>`),
    ...reasonsOf(entry).map(
      (reason) =>
        `<li><span class="mark soft">→</span><span class="soft">missing:</span> ${rich(reason)}</li>`,
    ),
  ];
  return `<article>
<header><h3>${escaped(titleOf(entry))}${item === null ? '' : ` · ${escaped(item)}`}</h3>${pill(sayVerdictOf(entry), verdictShade(entry))}${verdict?.isVoid ? pill('void', 'warn') : ''}<span class="soft">${escaped(aside.join(' · '))}</span></header>
<p>${escaped(sayClaim(claim))}</p>
${said === null ? '' : `<blockquote>${escaped(said)}</blockquote>`}
${rows.length === 0 ? '' : `<ul>${rows.join('')}</ul>`}
${verdict === null ? '' : `<p class="soft">${escaped(verdict.rule.says)} <span title="the rule of the law that decided">Rule ${verdict.rule.number}, ${escaped(verdict.rule.name)}.</span></p>`}
${filesOf.length === 0 ? '' : `<p class="soft">Changed ${filesOf.map((file) => `<code>${escaped(file)}</code>`).join(' ')}</p>`}
${commit === null ? '' : `<p class="soft">Work ${commit.onBranch ? 'committed' : 'kept'} as <code>${escaped(commit.id.slice(0, 12))}</code></p>`}
</article>`;
}

function checkItem({ name, command, is, says, ms, output, evidence }: ReportCheck): string {
  const label = `${name === null ? '' : `${escaped(name)} `}<code>${escaped(command)}</code> ${escaped(says)} <span class="soft">${escaped(duration(ms))}</span>`;
  const where = evidence === null ? 'output' : `output, from ${evidence}`;
  const more =
    output === ''
      ? ''
      : `<details><summary>${escaped(where)}</summary><pre tabindex="0">${escaped(output)}</pre></details>`;
  return marked(is === 'passed', label + more);
}

function marked(holds: boolean, html: string): string {
  return `<li><span class="mark ${holds ? 'good' : 'bad'}">${holds ? '✓' : '✗'}</span>${html}</li>`;
}

function titleOf({ iteration, stop }: Pick<ReportIteration, 'iteration' | 'stop'>): string {
  return iteration === null ? `Stop ${stop}` : `Iteration ${iteration}`;
}

function verdictShade({ verdict, claim }: Pick<ReportIteration, 'verdict' | 'claim'>): Shade {
  switch (verdict?.is) {
    case 'complete':
      return 'good';
    case 'escalate':
      return 'warn';
    case 'exhaust':
      return 'bad';
    // A claim that the gates contradicted stands out from a pass that only ended.
    case 'continue':
      return claim === 'done' ? 'warn' : 'calm';
    case 'allow':
    case undefined:
      return '';
  }
}

function fileList(files: readonly string[]): string {
  if (files.length === 0) return '';
  const more = files.length - FILES;
  const items = files.slice(0, FILES).map((file) => `<li><code>${escaped(file)}</code></li>`);
  return `<ul class="files">${items.join('')}${more > 0 ? `<li>and ${more} more</li>` : ''}</ul>`;
}

function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

// Draws docs/loop.svg, the picture in the README: runs the demo in tmux and turns the screen into an SVG. Run
// it again (npm run picture) whenever the output of the demo changes. It needs tmux and leaves nothing
// behind.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../root.mjs';

/** The width of the demo's output. */
const COLUMNS = 100;
/** High enough that nothing scrolls away, because tmux captures only the visible screen. */
const ROWS = 90;
const LONGEST_MS = 60_000;

/** The escape sequence that changes the style. tmux ends some of them with a shift-in. */
const SGR = new RegExp(`${String.fromCodePoint(27)}\\[([0-9;]*)m${String.fromCodePoint(15)}?`);
const PLAIN = { colour: null, bold: false, dim: false };

/** The size of one terminal cell, in pixels of the SVG. */
const CELL = { width: 8.4, height: 20 };
const MARGIN = { x: 24, top: 52, bottom: 22 };
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
/** The picture has its own dark window, so that it looks the same on a light and on a dark page. */
const WINDOW = { paper: '#161b22', edge: '#3d444d', ink: '#e6edf3', dim: '#8d96a0' };
/** The colours that the demo uses, by SGR number. */
const COLOURS = { 31: '#ff7b72', 32: '#56d364', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#76e3ea' };

const screen = await demoScreen();
const lines = screen.split('\n');
const first = lines.findIndex((line) => plain(line).startsWith('you type'));
const last = lines.findIndex((line) => plain(line).includes('completed after'));
if (first < 0 || last < first) throw new Error(`the demo did not complete:\n${screen}`);
// Leaves out the journal that the demo shows at the end: the picture ends with the last verdict and the
// ending.
const after = lines.findIndex((line, at) => at > last && plain(line).trim() === '');
const journal = lines.findIndex((line) => plain(line).startsWith('The journal'));
const shown = [...lines.slice(first, journal < 0 ? last : journal), ...lines.slice(last, after)];
writeFileSync(join(root, 'docs/loop.svg'), draw(spansOf(shown)));

/** Returns the screen after the demo, with the escape sequences of its colours. */
async function demoScreen() {
  const home = mkdtempSync(join(tmpdir(), 'dacapo-picture-'));
  const socket = `dacapo-picture-${process.pid}`;
  const tmux = (...args) => execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8' });
  try {
    const size = ['-x', String(COLUMNS), '-y', String(ROWS)];
    const env = ['HOME', 'DACAPO_HOME'].flatMap((name) => ['-e', `${name}=${home}`]);
    tmux('-f', '/dev/null', 'new-session', '-d', ...size, ...env, '-c', root, 'node dist/cli.cjs demo; cat');
    for (let waited = 0; waited < LONGEST_MS; waited += 200) {
      await sleep(200);
      const captured = tmux('capture-pane', '-p', '-e');
      if (plain(captured).includes('Now yours')) return captured;
    }
    throw new Error(`the demo did not end in time:\n${tmux('capture-pane', '-p')}`);
  } finally {
    tmux('kill-server');
    rmSync(home, { recursive: true, force: true });
  }
}

function plain(text) {
  return text
    .split(SGR)
    .filter((_, at) => at % 2 === 0)
    .join('');
}

/**
 * Splits each line into runs of one style. tmux writes only changes, so a style carries over to the next
 * line.
 */
function spansOf(lines) {
  let style = PLAIN;
  return lines.map((line) => {
    let column = 0;
    const spans = [];
    for (const [at, part] of line.split(SGR).entries()) {
      // After a split by a pattern with one group, every second part is the group's match: the codes of a
      // style.
      if (at % 2 === 1) style = part.split(';').reduce(styled, style);
      else {
        if (part.trim() !== '') spans.push({ ...style, text: part, column });
        column += [...part].length;
      }
    }
    return spans;
  });
}

function styled(style, code) {
  if (code === '' || code === '0') return PLAIN;
  if (code === '1') return { ...style, bold: true };
  if (code === '2') return { ...style, dim: true };
  if (code === '22') return { ...style, bold: false, dim: false };
  if (code === '39') return { ...style, colour: null };
  return code in COLOURS ? { ...style, colour: COLOURS[code] } : style;
}

function draw(rows) {
  const width = MARGIN.x * 2 + COLUMNS * CELL.width;
  const height = MARGIN.top + rows.length * CELL.height + MARGIN.bottom;
  const texts = rows.flatMap((spans, row) => spans.map((span) => drawSpan(span, row)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">A loop in a terminal, from its start to its proof</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${WINDOW.paper}" stroke="${WINDOW.edge}"/>
${['#ff5f57', '#febc2e', '#28c840'].map((fill, n) => `<circle cx="${24 + n * 20}" cy="24" r="6" fill="${fill}"/>`).join('')}
<g font-family="${FONT}" font-size="14" fill="${WINDOW.ink}" xml:space="preserve">
${texts.join('\n')}
</g>
</svg>
`;
}

/** Sets the exact length of each run, so that the columns align in any font. */
function drawSpan({ text, column, colour, bold, dim }, row) {
  const indent = text.length - text.trimStart().length;
  const words = text.trim();
  const x = round(MARGIN.x + (column + indent) * CELL.width);
  const y = MARGIN.top + row * CELL.height + 14;
  const fill = colour ?? (dim ? WINDOW.dim : null);
  const style = `${fill ? ` fill="${fill}"` : ''}${bold ? ' font-weight="bold"' : ''}`;
  const length = round([...words].length * CELL.width);
  return `<text x="${x}" y="${y}" textLength="${length}"${style}>${escaped(words)}</text>`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * The boxes of a checklist: how people spell one (`[]`, `**[ ]**`, `☐`), what may be in one, where one may
 * be, and which ones only explain the others.
 */
import { isTick, stateOf } from './states.ts';

export interface Box {
  readonly ticked: boolean;
  readonly words: string;
  /** A single sign, as in `[ ]`, `[x]` or `[~]`; otherwise a word, as in `[WIP]`. */
  readonly sign: boolean;
}

/**
 * White space must follow the box, as in GitHub's Markdown: `[x](address)` is a link. A number in brackets is
 * a reference. Of words, only those that name a state count: `[BLOCKED]`, not `[Home]`.
 */
const BOX = /^\[([^[\]\n]{1,20})\](?:[ \t]+(.*))?$/s;

/** At the beginning of a text. */
function boxIn(words: string): Box | null {
  const [, mark, rest = ''] = BOX.exec(plainBox(words)) ?? [];
  if (mark === undefined) return null;
  const sign = isSign(mark);
  if (!sign && !isStateWord(mark)) return null;
  return { ticked: isTick(mark) || (!sign && stateOf(mark) === 'done'), words: rest.trim(), sign };
}

/**
 * Of a line outside a list. One that begins with a word in brackets is prose, and one with two boxes explains
 * them.
 */
export function boxInLine(line: string): Box | null {
  const box = boxIn(line);
  return box !== null && box.sign && box.words !== '' && !BOXES.test(box.words) ? box : null;
}

/** Of a list item, which may also hold its box behind an id or at its end. */
export function boxInItem(words: string): Box | null {
  return boxIn(words) ?? boxIn(boxInside(words));
}

const BOXES = /(?:^|[\s,;|])`?\[[ xX~/-]\]/;

/**
 * Any one character. Of letters only `x` and `o`: others label a line (`[P]`, `[A]`), as digits do. Some
 * signs are two code units, or come with a variation selector.
 */
function isSign(mark: string): boolean {
  return /^(?:[ \txXoO]|[^\p{L}\d\s]\uFE0F?)$/u.test(mark);
}

function isStateWord(mark: string): boolean {
  return /\p{L}{2}/u.test(mark) && !/\d/.test(mark) && stateOf(mark) !== 'unknown';
}

/**
 * `### 1. [ ] Title`, `## [x] Title`, `### Task 3: [ ] Title`, `## Title [ ]`.
 * What begins like a list is a comment (`# - Done: - [x]`).
 */
export function boxInHeading(heading: string): Box | null {
  if (/^[-*+][ \t]/.test(heading)) return null;
  const [, number = '', rest = ''] = NUMBERED.exec(heading) ?? [];
  const front = boxIn(rest);
  if (front !== null) return { ...front, words: `${number}${front.words}` };
  const [, words = '', box = ''] = /^(.*\S)[ \t]+(\[[^[\]\n]{1,20}\])$/s.exec(heading) ?? [];
  const behind = boxIn(box);
  return behind !== null && !BOXES.test(words) ? { ...behind, words } : null;
}

const NUMBERED = /^((?:(?:\p{L}+[ \t]+)?[A-Z]{0,4}-?\d[\d.]{0,12}[.):]?[ \t]+)?)(.*)$/su;

/** A row with a box in exactly one cell. A row with several boxes compares things and is not a task. */
export function boxInRow(row: string): Box | null {
  const cells = row
    .split('|')
    .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'))
    .filter((cell) => cell !== '');
  const [only, ...others] = cells.flatMap((cell, k) => {
    const box = boxIn(cell);
    return box !== null && box.sign ? [{ box, k }] : [];
  });
  if (only === undefined || others.length > 0) return null;
  const words = cells.map((cell, k) => (k === only.k ? only.box.words : cell)).filter((cell) => cell !== '');
  return { ...only.box, words: words.join(' | ') };
}

const EXPLAINS = /\b(?:legend|notation|symbols?|markers?)\b|\bkey\W*$/i;

/**
 * An entry of a legend: it names a state, below an introduction that says so (`Legend:` and
 * `- [~] in progress`).
 */
export function isLegend(intro: string, words: string): boolean {
  const [meaning = ''] = words.replace(/^[-=:–—|`\s]+/u, '').split(/[(|,;:.–—/]|\b(?:and|or)\b/);
  return EXPLAINS.test(intro) && meaning !== '' && stateOf(meaning) !== 'unknown';
}

/** Spaces that look like one, and wide brackets. */
export function plainLine(line: string): string {
  return line.replace(/[\u00A0\u2007\u202F\u3000]/g, ' ').replace(/［([^［］\n]{0,20})］/gu, '[$1]');
}

const OPEN_GLYPH = /^(?:[☐□▢◻◽⬜]\uFE0F?|🔲|🔳)[ \t]*/u;
const DONE_GLYPH = /^☑\uFE0F?[ \t]*/u;

function plainBox(words: string): string {
  return (
    words
      .replace(OPEN_GLYPH, '[ ] ')
      .replace(DONE_GLYPH, '[x] ')
      .replace(/^\\\[([^[\]\\\n]{0,3})\\\]/, '[$1]')
      .replace(/^`(\[[ xX~/-]\])`/, '$1')
      // `**[ ]** words` and `**[ ] words**`
      .replace(/^(\*\*|__|~~|\*|_)(\[[^[\]\n]{0,20}\])\1/, '$2')
      .replace(/^(\*\*|__|~~|\*|_)(\[[^[\]\n]{0,20}\][ \t][^\n]*?)\1/, '$2')
      // Without a space behind it. `[x](address)`, `[x][1]` and `[x]: address` are links, and `[]string` is
      // code.
      .replace(/^\[([ xX])\](?=[^\s([:])/, '[$1] ')
      .replace(/^\[[ \t]*([^\s[\]]?)[ \t]*\]/, (_, mark: string) => `[${mark === '' ? ' ' : mark}]`)
  );
}

/** Markers that make a list item only in front of a box: `•`, `1.2`, `a)`, or a dash without a space. */
const ODD_MARKER =
  /^[ \t]*((?:[•◦‣▪●○–—]|\d{1,4}(?:\.\d{1,4}){1,4}[.):]?|\d{1,4}:?|[A-Za-z][.)])[ \t]+|[-*+•](?=\\?\[))(\S.*)$/su;

export type ListItem = Readonly<Record<'marker' | 'words', string>>;

export function oddItem(line: string): ListItem | null {
  const [, marker = '', words = ''] = ODD_MARKER.exec(line) ?? [];
  return boxIn(words)?.sign === true ? { marker: marker.trim(), words } : null;
}

/** `T001 [ ] words`, `**T-2**: [x] words` and `words [ ]`, with the box in front. Empty: there is no box. */
function boxInside(words: string): string {
  const [, id, box, rest] =
    /^((?:\*\*)?[A-Za-z]{0,8}[-_.]?\d[\w.-]{0,12}(?:\*\*)?[:.)]?)[ \t]+(\[[ xX~/-]?\])[ \t]+(.*)$/s.exec(
      words,
    ) ?? [];
  if (id !== undefined) return `${box} ${id} ${rest}`;
  const [, before, behind] = /^([^[\]]*\S)[ \t]+(\[[ xX]\])$/s.exec(words) ?? [];
  return before === undefined ? '' : `${behind} ${before}`;
}

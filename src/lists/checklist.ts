/**
 * A Markdown checklist: `- [ ]` and `- [x]`, also with `*`, `+` and numbers. Whatever is nested below an item is its
 * steps. A box may also begin a heading, a plain line or a table cell. Any other sign in a box (`[/]`, `[~]`, `[-]`)
 * leaves its item open: people mean different things by it, and none of them is "done". Code fences, HTML comments and
 * quotes hold no items. One that is never closed would hide what follows, so such a file is refused.
 */
import { boxIn, boxInHeading, boxInItem, boxInRow, isLegend, type Box } from './boxes.ts';
import { oddItem, plainSigns, ticksAreBoxes } from './box-spellings.ts';
import { hasOpenBox, hiddenTask, whyUnread, type Unread } from './unread.ts';

export interface ChecklistItem {
  readonly text: string;
  /** Whether its own box is ticked and no box below it is open. */
  readonly ticked: boolean;
  /** A nested box precedes its step, as in the file. */
  readonly steps: readonly string[];
}

export type Checklist =
  | { readonly ok: true; readonly items: readonly ChecklistItem[]; readonly unread: readonly Unread[] }
  | { readonly ok: false; readonly why: string };

// The `s` flag: a line may hold U+2028, where `.` would stop and every expression would backtrack.
const ITEM = /^[ \t]*([-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$/s;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?$/s;
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;
/** A line indented this far is code and opens no fence. A deeply nested item still counts as an item. */
const CODE_INDENT = 4;

interface Open {
  text: string;
  ticked: boolean;
  steps: string[];
  readonly indent: number;
}

/** Puts a heading above every list below it. */
const HEADING_INDENT = -1;

/** What hides the lines up to its end: where it began, what ends it, and where the text of its list item begins. */
interface Hidden {
  readonly line: number;
  readonly fence: string | null;
  readonly within: number;
}

export function readChecklist(markdown: string): Checklist {
  const items: Open[] = [];
  let current: Open | null = null;
  /** Where the text of each open list item begins, the outermost first. */
  let lists: number[] = [];
  let hidden: Hidden | null = null;
  let afterBlank = true;
  /** The last line that is no item: it introduces a list. */
  let intro = '';
  /** Whether any box holds a sign, as GitHub's boxes do. Words in brackets alone make no checklist. */
  let hasSign = false;
  const unread: Unread[] = [];
  const ticks = ticksAreBoxes(markdown);

  function add(box: Box, line: number, indent: number): Open {
    const item = {
      text: box.words || `(line ${line}, without words)`,
      ticked: box.ticked,
      steps: [],
      indent,
    };
    items.push(item);
    intro = '';
    hasSign ||= box.sign;
    return item;
  }

  for (const [k, raw] of markdown.split(/\r\n|\n|\r/).entries()) {
    const line = plainSigns(raw).trimEnd();
    const leave = (why: string | null): void => {
      if (why !== null) unread.push({ line: k + 1, why });
    };
    if (line === '') {
      afterBlank = true;
      continue;
    }
    const indent = indentOf(line);
    // A fence in a list item ends with the item at the latest.
    if (hidden !== null && hidden.fence !== null && indent < hidden.within) hidden = null;
    if (hidden !== null) {
      if (hiddenTask(line)) leave(hidden.fence === null ? 'in a comment' : 'in code');
      if (ends(hidden, line)) hidden = null;
      continue;
    }
    if (lists.length === 0 && indent >= CODE_INDENT) {
      if (hasOpenBox(line)) leave('indented like code');
      else if (current !== null && !afterBlank) goOn(current, line.trim());
      continue;
    }
    const within = lists.filter((begin) => begin <= indent);
    const item = itemIn(line, ticks);
    if (item === null) {
      const isCode = indent >= (within.at(-1) ?? 0) + CODE_INDENT;
      hidden = isCode ? null : hides(line, k + 1, within.at(-1) ?? -1);
      const isBlock = hidden !== null || /^[ \t]*(?:#|<!--)/.test(line);
      const heading = isCode ? null : HEADING.exec(line);
      const box = isCode || hidden !== null ? null : boxOutside(line, heading?.[1] ?? null, ticks);
      if (!line.startsWith('|')) intro = line;
      if (box === null) leave(whyNoItem(line, isCode, hidden !== null));
      else if (isLegend(intro, box.words)) leave(box.ticked ? null : 'a legend');
      else {
        lists = [];
        current = add(box, k + 1, heading === null ? indent : HEADING_INDENT);
        afterBlank = false;
        continue;
      }
      if (indent === 0 && (afterBlank || isBlock || line.startsWith('|'))) [current, lists] = [null, []];
      else if (isBlock) continue;
      else if (current !== null && !afterBlank) goOn(current, line.trim());
      afterBlank = false;
      continue;
    }
    afterBlank = false;
    const { marker, words } = item;
    const begin = indent + marker.length + 1;
    lists = [...within, begin];
    hidden = hides(words, k + 1, begin);
    const box = boxInItem(words, ticks);
    const isOwn = box !== null && current?.indent === HEADING_INDENT;
    if (box !== null && isLegend(intro, box.words)) {
      leave(box.ticked ? null : 'a legend');
      current = null;
    } else if (current !== null && indent > current.indent && !isOwn) {
      current.steps.push(words);
      if (box?.ticked === false) current.ticked = false;
      else if (box === null && current.ticked && hasOpenBox(words)) leave('a box inside a line');
    } else if (box === null) {
      leave(whyUnread(line));
      current = null;
    } else {
      current = add(box, k + 1, indent);
    }
  }
  if (hidden === null) return { ok: true, items: hasSign ? items : [], unread };
  const what = hidden.fence === null ? 'the HTML comment' : 'the code fence';
  return { ok: false, why: `${what} that begins in line ${hidden.line} is never closed` };
}

function whyNoItem(line: string, isCode: boolean, hides: boolean): string | null {
  if (isCode) return hasOpenBox(line) ? 'indented like code' : null;
  if (hides) return hiddenTask(line) ? 'in a comment' : null;
  return whyUnread(line);
}

function itemIn(line: string, ticks: boolean): { readonly marker: string; readonly words: string } | null {
  const [, marker, words = ''] = ITEM.exec(line) ?? [];
  if (marker !== undefined) return { marker, words };
  const odd = oddItem(line);
  return odd !== null && boxIn(odd.words, false, ticks)?.sign === true ? odd : null;
}

function boxOutside(line: string, heading: string | null, ticks: boolean): Box | null {
  if (heading !== null) return boxInHeading(heading);
  return line.startsWith('|') ? boxInRow(line, ticks) : boxIn(line.trimStart(), true, ticks);
}

/** Tabs advance to the next multiple of four. */
function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === '\t') width += 4 - (width % 4);
    else if (character === ' ') width++;
    else break;
  }
  return width;
}

function hides(line: string, number: number, within: number): Hidden | null {
  const [, fence, info = ''] = FENCE.exec(line) ?? [];
  if (fence !== undefined && !(fence.startsWith('`') && info.includes('`')))
    return { line: number, fence, within };
  const start = line.trimStart();
  if (start.startsWith('<!--') && !start.includes('-->')) return { line: number, fence: null, within };
  return null;
}

function ends({ fence }: Hidden, line: string): boolean {
  if (fence === null) return line.includes('-->');
  const closing = line.trim();
  return closing.startsWith(fence) && closing === closing.charAt(0).repeat(closing.length);
}

/** A wrapped line belongs to the text above it. */
function goOn(item: Open, words: string): void {
  const last = item.steps.length - 1;
  if (last < 0) item.text += ` ${words}`;
  else item.steps[last] += ` ${words}`;
}

/**
 * A Markdown checklist: `- [ ]` and `- [x]`, also with `*`, `+` and numbers. Whatever is nested below an item
 * is its steps. A box may also begin a heading, a plain line or a table cell. Any other sign in a box (`[/]`,
 * `[~]`, `[-]`) leaves its item open: people mean different things by it, and none of them is "done". Code
 * fences, HTML comments and quotes hold no items. One that is never closed would hide what follows, so such a
 * file is refused.
 *
 * What may also be an ornament (`✅`, a word in a heading) says "done" only where its opposite is there too.
 */
import { boxInHeading, boxInItem, boxInLine, boxInRow, isLegend, oddItem, plainLine } from './boxes.ts';
import type { Box, ListItem } from './boxes.ts';
import type { Attempt } from '#base/shape.ts';
import { ends, hides, type HiddenLine } from './hidden.ts';
import { signsToBoxes } from './signs.ts';
import { isTick } from './states.ts';
import { hasOpenBox, hiddenTask, whyHeading, whyUnread, type Unread } from './unread.ts';

export type Checklist = Attempt<{
  readonly items: readonly Readonly<OpenItem>[];
  readonly unread: readonly Unread[];
}>;

// The `s` flag: a line may hold U+2028, where `.` would stop and every expression would backtrack.
const ITEM = /^[ \t]*([-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$/s;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?$/s;
/** Kiro's mark for a task that may be left out. */
const OPTIONAL = /^\[([^[\]\n])\]\*[ \t]/;
/** A line indented this far is code and opens no fence. A deeply nested item still counts as an item. */
const CODE_INDENT_COLUMNS = 4;

/** An item whose steps may still follow. */
interface OpenItem {
  text: string;
  /** Whether its own box is ticked and no box below it is open. */
  ticked: boolean;
  /** A nested box precedes its step, as in the file. */
  steps: string[];
  readonly indent: number;
}

/** Puts a heading above every list below it. */
const HEADING_INDENT = -1;

/** `known`: marks of this list counted when it was last read, so done ones need no opposite any more. */
export function readChecklist(markdown: string, known = false): Checklist {
  const { lines, undone, unmarked } = signsToBoxes(
    markdown.split(/\r\n|\n|\r/).map((line) => plainLine(line).trimEnd()),
    known,
  );
  const headings = lines.flatMap((line) => boxInHeading(HEADING.exec(line)?.[1] ?? '')?.ticked ?? []);
  const done = headings.includes(true);
  const convention = {
    headings: { done, count: done && (known || headings.includes(false)) },
    undone: (number: number) => undone.has(number - 1),
  };
  const reader = new ChecklistReader(convention);
  for (const [k, line] of lines.entries()) reader.read(line, k + 1);
  return reader.end(unmarked.map((k) => ({ line: k + 1, why: 'a row without a mark' })));
}

/**
 * What words in headings (`## Login [DONE]`) are in a file: whether any says done, and whether they are
 * marks.
 */
interface HeadingWords {
  readonly done: boolean;
  readonly count: boolean;
}

/** How a file writes its list, found before any line is read. */
interface Convention {
  readonly headings: HeadingWords;
  /** Whether the row of a table in this line says that something is not done. */
  readonly undone: (line: number) => boolean;
}

class ChecklistReader {
  private readonly items: OpenItem[] = [];
  private readonly unread: Unread[] = [];
  /** The item to which steps and wrapped lines belong. */
  private current: OpenItem | null = null;
  /** Where the text of each open list item begins, the outermost first. */
  private lists: number[] = [];
  private hidden: HiddenLine | null = null;
  private afterBlank = true;
  /** The last line that is not an item: it introduces a list. */
  private intro = '';
  /** The lines of items whose box is in backticks. One such box alone is only mentioned. */
  private readonly quoted: number[] = [];
  /** Whether any box holds a sign, as GitHub's boxes do. Words in brackets alone make no checklist. */
  private hasSign = false;
  private readonly convention: Convention;

  constructor(convention: Convention) {
    this.convention = convention;
  }

  read(line: string, number: number): void {
    if (line === '') {
      this.afterBlank = true;
      return;
    }
    const indent = indentOf(line);
    // A fence in a list item ends with the item at the latest.
    if (this.hidden !== null && this.hidden.fence !== null && indent < this.hidden.within) this.hidden = null;
    if (this.hidden !== null) return this.readHidden(this.hidden, line, number);
    if (this.lists.length === 0 && indent >= CODE_INDENT_COLUMNS) return this.readIndented(line, number);
    const item = itemIn(line);
    if (item === null) this.readOutside(line, indent, number);
    else this.readItem(line, item, indent, number);
  }

  end(odd: readonly Unread[]): Checklist {
    const { hidden, hasSign, items, unread } = this;
    const [mentioned] = this.quoted;
    if (hidden === null && mentioned !== undefined && items.length === 1)
      return { ok: true, items: [], unread: [...unread, { line: mentioned, why: 'in code' }, ...odd] };
    if (hidden === null) return { ok: true, items: hasSign ? items : [], unread: [...unread, ...odd] };
    const what = hidden.fence === null ? 'the HTML comment' : 'the code fence';
    return { ok: false, why: `${what} that begins in line ${hidden.line} is never closed` };
  }

  private readHidden(hidden: HiddenLine, line: string, number: number): void {
    if (hiddenTask(line)) this.leave(number, hidden.fence === null ? 'in a comment' : 'in code');
    if (ends(hidden, line)) this.hidden = null;
  }

  /** Outside a list, indented like code: the rest of an item that was wrapped, or code. */
  private readIndented(line: string, number: number): void {
    if (hasOpenBox(line)) this.leave(number, 'indented like code');
    else if (this.current !== null && !this.afterBlank) appendWords(this.current, line.trim());
  }

  private readOutside(line: string, indent: number, number: number): void {
    const within = this.lists.findLast((begin) => begin <= indent);
    const isCode = indent >= (within ?? 0) + CODE_INDENT_COLUMNS;
    this.hidden = isCode ? null : hides(line, number, within ?? -1);
    const hidesMore = this.hidden !== null;
    const heading = isCode ? null : HEADING.exec(line);
    const box = isCode || hidesMore ? null : this.boxOutside(line, heading?.[1] ?? null);
    const isRow = line.startsWith('|');
    if (!isRow) this.intro = line;
    if (box === null)
      this.leave(
        number,
        this.whyNoItem(line, number, isCode || hidesMore) ??
          whyHeading(heading?.[1] ?? '', this.convention.headings.done),
      );
    else if (isLegend(this.intro, box.words)) this.leave(number, box.ticked ? null : 'a legend');
    else {
      this.lists = [];
      this.add(box, number, heading === null ? indent : HEADING_INDENT);
      this.afterBlank = false;
      return;
    }
    const isBlock = hidesMore || /^[ \t]*(?:#|<!--)/.test(line);
    if (indent === 0 && (this.afterBlank || isBlock || isRow)) [this.current, this.lists] = [null, []];
    else if (isBlock) return;
    else if (this.current !== null && !this.afterBlank) appendWords(this.current, line.trim());
    this.afterBlank = false;
  }

  private readItem(line: string, { marker, words }: ListItem, indent: number, number: number): void {
    const { current } = this;
    this.afterBlank = false;
    const begin = indent + marker.length + 1;
    this.lists = [...this.lists.filter((open) => open <= indent), begin];
    this.hidden = hides(words, number, begin);
    const optional = OPTIONAL.exec(words);
    const box = optional === null ? boxInItem(words) : null;
    const isOwn = (box ?? optional) !== null && current?.indent === HEADING_INDENT;
    if (optional !== null) this.leave(number, isTick(optional[1] ?? '') ? null : 'optional, marked [ ]*');
    if (box !== null && isLegend(this.intro, box.words)) {
      this.leave(number, box.ticked ? null : 'a legend');
      this.current = null;
    } else if (current !== null && indent > current.indent && !isOwn) {
      current.steps.push(words);
      if (box?.ticked === false) current.ticked = false;
      else if (box === null && optional === null && current.ticked && hasOpenBox(words))
        this.leave(number, 'a box inside a line');
    } else if (optional !== null) {
      // Not among the items, and takes what is nested below it.
      this.current = { text: words, ticked: false, steps: [], indent };
    } else if (box === null) {
      this.leave(number, whyUnread(line));
      this.current = null;
    } else {
      if (words.startsWith('`')) this.quoted.push(number);
      this.add(box, number, indent);
    }
  }

  /** Of a line outside a list. Words in a heading may be its topic. */
  private boxOutside(line: string, heading: string | null): Box | null {
    if (heading === null) return line.startsWith('|') ? boxInRow(line) : boxInLine(line.trimStart());
    const box = boxInHeading(heading);
    return box?.sign === true || this.convention.headings.count ? box : null;
  }

  private add({ words, ticked, sign }: Box, line: number, indent: number): void {
    this.current = { text: words || `(line ${line}, without words)`, ticked, steps: [], indent };
    this.items.push(this.current);
    this.intro = '';
    this.hasSign ||= sign;
  }

  private whyNoItem(line: string, number: number, isHidden: boolean): string | null {
    if (this.hidden !== null) return hiddenTask(line) ? 'in a comment' : null;
    if (isHidden) return hasOpenBox(line) ? 'indented like code' : null;
    return whyUnread(line) ?? (this.convention.undone(number) ? 'a row without a box' : null);
  }

  /** `why`: null where nothing about the line looks like a task. */
  private leave(line: number, why: string | null): void {
    if (why !== null) this.unread.push({ line, why });
  }
}

function itemIn(line: string): ListItem | null {
  const [, marker, words = ''] = ITEM.exec(line) ?? [];
  return marker === undefined ? oddItem(line) : { marker, words };
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

/** A wrapped line belongs to the text above it. */
function appendWords(item: OpenItem, words: string): void {
  const last = item.steps.length - 1;
  if (last < 0) item.text += ` ${words}`;
  else item.steps[last] += ` ${words}`;
}

/** Measures a text in terminal columns, and cuts and wraps by them. The texts contain no colours. */

/** Characters of one column each, for which no Unicode table is needed: almost all text. */
const PLAIN = /^[ -~¡-¬®-ÿ‘’“”–—…✓✗]*$/;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u115F\u1160-\u11FF\uD7B0-\uD7FF]$/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}{2})/u;
/**
 * East Asian Wide and Fullwidth, without those in EMOJI. Ranges as pairs, from EastAsianWidth.txt of Unicode
 * 17.
 */
const WIDE = [
  0x1100, 0x115e, 0x2329, 0x232a, 0x2630, 0x2637, 0x268a, 0x268f, 0x2e80, 0x303e, 0x3041, 0xa4cf, 0xa960,
  0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6,
  0x16fe0, 0x18d1e, 0x18d80, 0x18df2, 0x1aff0, 0x1b2fb, 0x1d300, 0x1d356, 0x1d360, 0x1d376, 0x1f200, 0x1f265,
  0x20000, 0x3fffd,
];
const TAB_COLUMNS = 4;

let segmenter: Intl.Segmenter | null = null;

/** Graphemes: an emoji of seven code points is one. */
export function* clusters(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const cluster of clusters(text)) width += clusterWidth(cluster);
  return width;
}

/**
 * An emoji of several code points has one width; letters that form one grapheme each take their own columns.
 */
function clusterWidth(cluster: string): number {
  if (EMOJI.test(cluster)) return 2;
  let width = 0;
  for (const character of cluster)
    if (!ZERO_WIDTH.test(character)) width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
  return width;
}

function isWide(point: number): boolean {
  for (let at = 0; at < WIDE.length; at += 2)
    if (point >= (WIDE[at] ?? 0) && point <= (WIDE[at + 1] ?? 0)) return true;
  return false;
}

export function clip(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(ellipsis);
  return room < 0 ? '' : `${cutToWidth(text, room).trimEnd()}${ellipsis}`;
}

function cutToWidth(text: string, width: number): string {
  if (PLAIN.test(text)) return text.slice(0, width);
  let head = '';
  let used = 0;
  for (const cluster of clusters(text)) {
    used += clusterWidth(cluster);
    if (used > width) break;
    head += cluster;
  }
  return head;
}

export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  const [first = '', ...rest] = line.split('\t');
  let done = first;
  let column = widthOf(first);
  for (const part of rest) {
    const gap = TAB_COLUMNS - (column % TAB_COLUMNS);
    done += ' '.repeat(gap) + part;
    column += gap + widthOf(part);
  }
  return done;
}

/** The indentation of a line, including the mark of a list item: wrapped lines are aligned with its text. */
const HANGING = /^ *(?:(?:[-*•>]|\d{1,3}[.)]) +)?/;

export function wrapLine(line: string, width: number): string[] {
  const most = Math.max(2, width);
  const text = line.trimEnd();
  if (widthOf(text) <= most) return [text];
  const hanging = HANGING.exec(text)?.[0] ?? '';
  const left = widthOf(hanging) <= most / 2 ? hanging : '';
  const indent = ' '.repeat(widthOf(left));
  const lines: string[] = [];
  let now = left;
  let used = indent.length;
  const next = () => {
    lines.push(now.trimEnd());
    now = indent;
    used = indent.length;
  };
  for (const [word] of text.slice(left.length).matchAll(/ +|[^ ]+/g)) {
    const width = widthOf(word);
    if (used + width <= most) {
      now += word;
      used += width;
    } else if (word.startsWith(' ')) next();
    else if (indent.length + width <= most) {
      next();
      now += word;
      used += width;
    } else {
      for (const cluster of PLAIN.test(word) ? word : clusters(word)) {
        const width = clusterWidth(cluster);
        // A cluster that is wider than a line gets its own line.
        if (used + width > most && used > indent.length) next();
        now += cluster;
        used += width;
      }
    }
  }
  return now.trim() === '' ? lines : [...lines, now.trimEnd()];
}

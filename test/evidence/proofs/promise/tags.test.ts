import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { readPromise } from '#law/proof/promise.ts';
import { mayHoldTag } from '#base/words/sanitize.ts';
import { findTags } from '#evidence/proofs/promise/said.ts';
import { cpuMs } from '../../../cpu.ts';
import { parseStartWords } from '../../../input/start-words.ts';

const NAMES = ['promise', 'loop-done', 'issue-complete', 'grind-done'];
const TAG = '<promise>DONE</promise>';

/** Each tag as `where place`, which reads well in a table. */
async function seen(message: string): Promise<string[]> {
  return findTags(message, NAMES).map(({ where, place }) => `${where} ${place}`);
}

describe('a tag counts', () => {
  const cases: [string, string, string][] = [
    ['alone', TAG, 'prose line'],
    ['alone below text', `All is well.\n\n${TAG}`, 'prose line'],
    ['in a paragraph, alone on its line', `All is well.\n${TAG}\nBye.`, 'prose line'],
    ['at the end of a sentence that ends the message', `All is well. ${TAG}\n\n`, 'prose end'],
    ['at the end of a list that ends the message', `- one\n- ${TAG}`, 'prose end'],
    ['over several lines', `Yes.\n\n<promise>\n  DONE\n</promise>\n`, 'prose line'],
    ['over several lines in a paragraph', `Yes.\n<promise>\nDONE\n</promise>\nBye.`, 'prose line'],
    ['with CRLF', `Yes.\r\n\r\n${TAG}\r\n\r\nBye.`, 'prose line'],
    ['with CRLF inside', `Yes.\r\n\r\n<promise>\r\nDONE\r\n</promise>\r\n`, 'prose line'],
    ['with lone CR', `Yes.\r\r${TAG}\r\rBye.`, 'prose line'],
    ['with white space around', `Yes.\n\n  ${TAG} \t\nBye.`, 'prose line'],
    ['behind a tab that continues a paragraph', `Yes.\n\t${TAG}\n`, 'prose line'],
    ['below a closed fence', `\`\`\`js\nx\n\`\`\`\n${TAG}`, 'prose line'],
    ['below a heading', `# Done\n${TAG}\n`, 'prose line'],
    ['above a ruler', `${TAG}\n---\n`, 'prose line'],
    ['right below a table', `|a|b|\n|-|-|\n|1|2|\n${TAG}`, 'prose line'],
    ['in a paragraph of a list item', `- one\n\n  ${TAG}\n`, 'prose line'],
    ['after a list', `- one\n- two\n\n${TAG}`, 'prose line'],
    ['after a quote and a blank line', `> one\n\n${TAG}`, 'prose line'],
    ['after a comment', `<!-- note -->\n${TAG}`, 'prose line'],
    ['on the line of a comment', `<!-- note --> ${TAG}`, 'prose end'],
    ['right below raw HTML', `<details>\nx\n</details>\n${TAG}`, 'prose line'],
    ['in a div', `<div>\n${TAG}\n</div>`, 'prose line'],
    ['after closed raw code', `<pre>\nx\n</pre>\n\n<code>y</code>\n\n${TAG}`, 'prose line'],
    ['after raw elements that are only mentioned', `I replaced <q> by <code>.\n\n${TAG}`, 'prose line'],
    ['after an unmatched backtick', `It\`s fine.\n\n${TAG}`, 'prose line'],
    ['after a comment that is only mentioned', `Use <!-- to begin one.\n\n${TAG}`, 'prose line'],
    ['after odd code in a comment', `<!--\n\`\`\`\n-->\n\n${TAG}`, 'prose line'],
    ['below names like our own', `<tag-0> <tag-x-0>\n\n${TAG}`, 'prose line'],
  ];
  it.each(cases)('%s', async (_, message, where) => {
    expect(await seen(message)).toEqual([where]);
  });
});

describe('a tag does not count', () => {
  const cases: [string, string, string][] = [
    ['in a fence', `\`\`\`\n${TAG}\n\`\`\``, 'code line'],
    ['in a fence with an odd info string', `\`\`\` {.xml title="a b"} ~~~\n${TAG}\n\`\`\``, 'code line'],
    ['in an info string', `~~~ ${TAG}\nx\n~~~`, 'code inside'],
    ['in a tilde fence', `~~~md\n\`\`\`\n${TAG}\n~~~`, 'code line'],
    ['in a longer fence', `\`\`\`\`\n\`\`\`\n${TAG}\n\`\`\`\n\`\`\`\``, 'code line'],
    ['in an unclosed fence', `\`\`\`\n${TAG}`, 'code line'],
    ['in a fence whose end is indented too far', `\`\`\`\nx\n    \`\`\`\n${TAG}`, 'code line'],
    ['in a fence of a list', `1. one\n\n   \`\`\`\n   ${TAG}\n   \`\`\``, 'code line'],
    ['in a fence of a quote', `> \`\`\`\n> ${TAG}\n> \`\`\``, 'code inside'],
    ['in indented code', `Like this:\n\n    ${TAG}\n`, 'code line'],
    ['in code indented by a tab', `Like this:\n\n\t${TAG}\n`, 'code line'],
    ['in code indented in a list', `- one\n\n      ${TAG}\n`, 'code line'],
    ['in an inline span', `Say \`${TAG}\``, 'code inside'],
    ['in an inline span over lines', `Say \`a\n${TAG}\nb\` then`, 'code line'],
    ['in double backticks', `Say \`\`a \` ${TAG}\`\``, 'code inside'],
    ['in double backticks over lines', `Say \`\`a \`\n${TAG}\n\`\``, 'code line'],
    ['in a quote', `> ${TAG}`, 'quote end'],
    ['over several lines of a quote', `> <promise>\n> DONE\n> </promise>`, 'quote end'],
    ['in nested quotes', `> a\n>> ${TAG}`, 'quote end'],
    ['in a lazy line of a quote', `> a\n${TAG}`, 'quote line'],
    ['in a lazy line of a quote in a list', `- > a\n${TAG}`, 'quote line'],
    ['in a comment', `<!-- ${TAG} -->`, 'comment inside'],
    ['in a comment over lines', `<!--\n\n${TAG}\n\n-->`, 'comment line'],
    ['in a comment in a paragraph', `Hm <!--\n${TAG}\n--> yes`, 'comment line'],
    ['in a comment in raw HTML', `<div>\n<!--\n# x\n${TAG}\n-->\n</div>`, 'comment line'],
    ['in an unclosed comment', `<!-- hm\n\n${TAG}`, 'comment line'],
    ['in an unclosed comment of raw HTML', `<div>\n<!-- hm\n\n${TAG}`, 'comment line'],
    ['in a processing instruction', `<?x\n\n${TAG}\n?>`, 'comment line'],
    ['in an unclosed instruction of raw HTML', `<div>\n<?x\n\n${TAG}`, 'comment line'],
    ['in raw pre', `<pre>\n\n${TAG}\n\n</pre>`, 'code line'],
    ['in unclosed raw pre', `<pre>\n\n${TAG}\n`, 'code line'],
    ['in raw code', `See <code>\n${TAG}\n</code>`, 'code line'],
    ['in raw code over blocks', `<code>\n\n${TAG}\n\n</code>`, 'code line'],
    ['in a raw quote', `<blockquote>\n${TAG}\n</blockquote>`, 'quote line'],
    ['in a raw quote over blocks', `<blockquote cite="x">\n\n${TAG}\n\n</BLOCKQUOTE>`, 'quote line'],
    ['in an unclosed raw quote', `<blockquote>\n${TAG}`, 'quote line'],
    ['in an event of another tool', `<event topic="build.done">\n${TAG}\n</event>`, 'quote line'],
    ['in q', `He said <q>\n${TAG}\n</q>`, 'quote line'],
    [
      'in raw code whose tags are in backticks',
      `<div>\n\`<code>\`\n${TAG}\n\`</code>\`\n</div>`,
      'code line',
    ],
    ['in a fence right below raw HTML', `</details>\n\`\`\`\n${TAG}\n\`\`\``, 'code line'],
    ['in a quote right below raw HTML', `</details>\n> a\n${TAG}\n`, 'quote line'],
    ['in a list item', `- ${TAG}\n- more`, 'prose inside'],
    ['in bold', `**${TAG}**`, 'prose inside'],
    ['in a heading', `# ${TAG}\n\nBye`, 'prose inside'],
    ['in a table', `|a|b|\n|-|-|\n|${TAG}|x|`, 'prose inside'],
    ['negated', `I can't say ${TAG} yet.`, 'prose inside'],
    ['before a full stop', `I say ${TAG}.`, 'prose inside'],
    ['before words', `${TAG} is what I will say.`, 'prose inside'],
  ];
  it.each(cases)('%s', async (_, message, where) => {
    expect(await seen(message)).toEqual([where]);
  });

  const unseen: [string, string][] = [
    ['escaped', `\\${TAG}`],
    ['with an escaped end', '<promise>DONE\\</promise>'],
    ['as entities', '&lt;promise&gt;DONE&lt;/promise&gt;'],
    ['in an attribute', `<a title="\n${TAG}\n">x</a>`],
    ['in an attribute of raw HTML', `<div title="\n${TAG}\n">x</div>`],
    ['in the text of an image', `![${TAG}](x.png)`],
    ['without an end', '<promise>DONE'],
    ['without a beginning', 'DONE</promise>'],
    ['crossed', '<promise>DONE</loop-done></promise>'],
    ['with its ends in different blocks', '<promise>\n\nDONE\n\n</promise>'],
    ['with its ends in different spans of code', 'From `<promise>` to `</promise>`.'],
    ['with its end in code', '<promise>DONE `</promise>`'],
    ['with an attribute', '<promise id="1">DONE</promise>'],
    ['in other letters', '<Promise>DONE</Promise>'],
    ['as a bare word', 'DONE'],
  ];
  it.each(unseen)('%s', async (_, message) => {
    expect(await seen(message)).toEqual([]);
  });
});

describe('several tags', () => {
  it('are all found, in order, with their names and texts', async () => {
    const message = `Say \`${TAG}\` at the end.\n\n<loop-done>\nSTUCK</loop-done>\n\n> ${TAG}\n\n<promise>a *b* &amp; \`c\`</promise>`;
    expect(findTags(message, NAMES)).toEqual([
      { name: 'promise', text: 'DONE', where: 'code', place: 'inside' },
      { name: 'loop-done', text: '\nSTUCK', where: 'prose', place: 'line' },
      { name: 'promise', text: 'DONE', where: 'quote', place: 'inside' },
      { name: 'promise', text: 'a *b* &amp; `c`', where: 'prose', place: 'line' },
    ]);
  });

  it('only those that were asked for', async () => {
    expect(findTags(`${TAG}\n\n<loop-done>X</loop-done>`, ['loop-done'])).toHaveLength(1);
  });

  it('an end pairs with the nearest beginning', async () => {
    const tags = findTags(`The \`<promise>\` tag, or <promise>, ends it.\n\n${TAG}`, NAMES);
    expect(tags).toEqual([{ name: 'promise', text: 'DONE', where: 'prose', place: 'line' }]);
    expect(await seen(`<promise>${TAG}</promise>`)).toEqual(['prose inside']);
  });

  it('two on one line are in each other’s way', async () => {
    expect(await seen(`${TAG} ${TAG}`)).toEqual(['prose inside', 'prose end']);
  });
});

describe('the literal look', () => {
  it('asks for a beginning and an end', () => {
    expect(mayHoldTag(`x ${TAG} y`, NAMES)).toBe(true);
    expect(mayHoldTag('x <promise> y', NAMES)).toBe(false);
    expect(mayHoldTag('a promise </loop-done>', NAMES)).toBe(false);
    expect(mayHoldTag(TAG, [])).toBe(false);
  });

  it('no tag, no Markdown', async () => {
    expect(findTags('```\nplain', NAMES)).toEqual([]);
  });
});

describe('huge messages', () => {
  const MEGABYTE = 1_000_000;
  /** What grows with the square of the length takes far longer than this already here. */
  const QUARTER = MEGABYTE / 4;
  const cases: [string, string][] = [
    ['prose', 'All work and no play makes *Jack* a `dull` boy.\n\n'],
    ['one line', 'All work and no play. '],
    ['tags', `${TAG}\n`],
    ['tags on one line', TAG],
    ['openings', '<promise>'],
    ['fences', '```\nx\n```\n'],
    ['backticks', '` `` ``` '],
    ['quotes', '> a\n>> b\n\n'],
    ['raw HTML', '<div>\n<q>\n</code>\n\n'],
    ['unclosed raw code', '<code>'],
    ['comments', '<!-- a --> '],
    ['broken comments', '<!-- '],
    ['lists', '- a\n  - b\n'],
    ['our own way of naming tags', 'tag-0-1-x-'],
  ];
  it.each(cases)('250 kB of %s', async (_, piece) => {
    const message = `${piece.repeat(Math.ceil(QUARTER / piece.length))}\n\n${TAG}`;
    expect(await cpuMs(() => findTags(message, NAMES))).toBeLessThan(2_500);
  });

  it('finds nothing in a message that no model has written', async () => {
    expect(findTags(`${'a b\n'.repeat(MEGABYTE)}\n${TAG}`, NAMES)).toEqual([]);
  });
});

describe('properties', () => {
  const md = new MarkdownIt({ html: true });

  it('for any Markdown, a tag inside code, quote or comment never counts', { timeout: 60_000 }, async () => {
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(documentWith(fc.constant('MARKER')), async (document) => {
        if (!isHidden(md.render(document))) return;
        hidden++;
        const [tag] = findTags(document.replace('MARKER', TAG), NAMES);
        expect(tag?.where).not.toBe('prose');
      }),
      { numRuns: 4_000 },
    );
    expect(hidden).toBeGreaterThan(1_000);
  });

  it(
    'for any Markdown that leaves nothing open, a tag in a paragraph of its own counts',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(closedDocument(), closedDocument(), async (before, after) => {
          const tags = findTags(`${before}\n\n${TAG}\n\n${after}`, NAMES);
          expect(tags).toEqual([{ name: 'promise', text: 'DONE', where: 'prose', place: 'line' }]);
        }),
        { numRuns: 1_500 },
      );
    },
  );

  it(
    'for any Markdown, a tag at the end of its last line counts only where it is rendered as prose',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(document(), async (before) => {
          const [tag] = findTags(`${before} ${TAG}`, NAMES).slice(-1);
          if (tag?.where !== 'prose') return;
          expect(tag.place).not.toBe('inside');
          expect(isHidden(md.render(`${before} MARKER`))).toBe(false);
        }),
        { numRuns: 1_500 },
      );
    },
  );

  it('any text survives: never a throw, and raw text between the tags', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string(), async (text, around) => {
        const message = `${around}\n\n<promise>${text}</promise>\n\n${around}`;
        for (const tag of findTags(message, NAMES))
          expect(message).toContain(`<promise>${tag.text}</promise>`);
        findTags(around + text, NAMES);
      }),
      { numRuns: 1_000 },
    );
  });

  it('any promise that the start command takes is kept when the agent gives it', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ' ',
        '\n',
        '<',
        '>',
        '&',
        '`',
        '``',
        '*',
        '[',
        '](',
        ')',
        '!',
        '\\',
        '"',
        '<!--',
        '-->',
        '~',
        '|',
        '#',
        'https://a.b',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece).map((pieces) => pieces.join('')),
        async (text) => {
          const request = parseStartWords(['x', `--completion-promise=${text}`]);
          if (!request.ok || request.promise === null) return;
          const tags = findTags(`Yes.\n\n<promise>${request.promise}</promise>`, NAMES);
          expect(readPromise(tags, request.promise)).toEqual({ is: 'kept' });
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/**
 * The independent look: in the HTML that markdown-it makes, does the marker lie in something that hides it?
 */
function isHidden(html: string): boolean {
  const shown = html.replace(/<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<!--(?:-?>|[^]*?(?:-->|$))/g, '');
  const at = shown.indexOf('MARKER');
  if (at === -1) return html.includes('MARKER');
  return ['pre', 'code', 'blockquote', 'q'].some((name) => {
    const opening = new RegExp(`<${name}(?=[\\s>])`, 'gi');
    const closing = new RegExp(`</${name}>`, 'gi');
    const before = shown.slice(0, at);
    const after = shown.slice(at);
    return count(before, opening) > count(before, closing) && count(after, closing) > count(after, opening);
  });
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * Lines that open, close and continue things, in any order: most of what people write, and much that nobody
 * does.
 */
const LINES = [
  '',
  '',
  '',
  'text',
  'text `code` text',
  '# title',
  '---',
  '- item',
  '1. item',
  '  more',
  '    indented',
  '\tindented',
  '> quote',
  '>> deeper',
  '>',
  '- > both',
  '> - both',
  '```',
  '```js',
  '~~~',
  '~~~~ {x}',
  '````',
  '`',
  '``',
  'a `b',
  'b` c',
  '<!--',
  '-->',
  '<!-- x -->',
  'text <!-- x',
  'x --> text',
  '<div>',
  '</div>',
  '<details>',
  '</details>',
  '<pre>',
  '</pre>',
  '<code>',
  '</code>',
  'text <code>',
  '</code> text',
  '<blockquote>',
  '</blockquote>',
  '<q>',
  '</q>',
  '|a|b|',
  '|-|-|',
  '[x]: /url',
  '\\',
  '**',
  '*',
  '<b',
  'title="',
  '">',
  '<?',
  '?>',
  '<![CDATA[',
  ']]>',
  '<script>',
  '</script>',
  '&lt;!--',
];
const INDENTS = [
  '',
  '',
  '',
  '',
  ' ',
  '  ',
  '   ',
  '    ',
  '\t',
  '> ',
  '>',
  '- ',
  '  > ',
  '`',
  '``',
  '<!-- ',
  '<q>',
  '<code>',
];
const TRAILS = ['', '', '', '', ' ', '`', '``', ' -->', '</q>', '</code>', ' text', '|'];

function document(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.constantFrom(...LINES), { maxLength: 12 }), fc.constantFrom('\n', '\n', '\n', '\r\n'))
    .map(([lines, newline]) => lines.join(newline));
}

function documentWith(marker: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const line = fc
    .tuple(fc.constantFrom(...INDENTS), marker, fc.constantFrom(...TRAILS))
    .map((parts) => parts.join(''));
  return fc.tuple(document(), line, document()).map((parts) => parts.join('\n'));
}

/** Blocks that are whole: nothing in them reaches past a blank line. */
function closedDocument(): fc.Arbitrary<string> {
  const words = fc.stringMatching(/^[a-z .,!?*_#|()[\]$&"'-]{1,20}$/).map((text) => `w${text}`);
  const block = fc.oneof(
    words,
    words.map((text) => `# ${text}`),
    words.map((text) => `> ${text}\n> ${text}`),
    words.map((text) => `- ${text}\n- ${text}`),
    words.map((text) => `\`\`\`sh\n${text}\n\n<promise>\n\`\`\``),
    words.map((text) => `~~~\n${text}\n~~~`),
    words.map((text) => `Some \`${text}\` and <code>${text}</code> and it\`s <!-- ${text} -->`),
    words.map((text) => `<!--\n\n${text}\n\n-->`),
    words.map((text) => `<blockquote>\n\n${text}\n\n</blockquote>`),
    words.map((text) => `<pre>\n${text}\n</pre>`),
    words.map((text) => `|a|b|\n|-|-|\n|${text}|x|`),
  );
  return fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join('\n\n'));
}

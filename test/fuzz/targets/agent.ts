/** What an agent says and wants to run. */
import { outermostOf } from '#law/loop.ts';
import { failingPart } from '#telling/failing.ts';
import { endsOf, fenced, oneLine, tailOf } from '#base/words/sanitize.ts';
import { actsOfLine } from '#evidence/guard/shell-acts.ts';
import { findTags, hearSaid } from '#evidence/proofs/promise/said.ts';
import { forScreen, labelForScreen, lineForScreen, toAscii } from '#surfaces/screen/terminal/clean-text.ts';
import { clip, widthOf, wrapLine } from '#surfaces/screen/terminal/width.ts';
import { inLine, printable } from '#surfaces/cli/terminal/terminal.ts';
import { PROMISE, running } from '../../law/given.ts';
import { must, mustBeClean, type Target } from '../target.ts';

const FRAME = outermostOf(running({ gates: [PROMISE] }));

/** What stands in a block of code is an example. */
function readTags(text: string): unknown {
  const inner = text.replaceAll(/[`~]/g, '');
  const shown = findTags(`Like this:\n\n\`\`\`\`\n${inner}\n\`\`\`\`\n`, ['promise']);
  must(
    shown.every(({ where }) => where === 'code'),
    'no tag counts in a block of code',
    shown,
  );
  return [findTags(text, ['promise', 'loop-done']), hearSaid(text, FRAME)];
}

function showAll(text: string): unknown {
  const shown = [forScreen(text), lineForScreen(text), labelForScreen(text), toAscii(forScreen(text))];
  mustBeClean(...shown, printable(text, false), inLine(text), oneLine(text, 80));
  const clipped = clip(lineForScreen(text), 20, '…');
  must(widthOf(clipped) <= 20, 'a clipped line is no wider than it may be', clipped);
  // Measuring takes most of the time.
  const wrapped = forScreen(text.slice(0, 400))
    .split('\n')
    .flatMap((line) => wrapLine(line, 20));
  for (const line of wrapped) must(widthOf(line) <= 20, 'a wrapped line is no wider than it may be', line);
  return [
    shown,
    [tailOf(text, 200), endsOf(text, 200), fenced(text), failingPart(text, 500)],
    [widthOf(text), printable(text, true), wrapped],
  ];
}

export const AGENT: readonly Target[] = [
  {
    name: 'tags of a message',
    samples: [
      'Done. <promise>COMPLETE</promise>',
      '```\n<promise>COMPLETE</promise>\n```\n> quoted',
      '<details><promise>X</promise>',
    ],
    words: [
      '<promise>',
      '</promise>',
      '<promise ',
      'COMPLETE',
      '    ',
      '> ',
      '[a]: ',
      '<div>',
      '| a |\n|---|\n',
    ],
    read: readTags,
  },
  {
    name: 'shell lines',
    samples: [
      'cd a && rm -rf "b c" > out 2>&1',
      'cat <<EOF | tee x\nhi $(ls `pwd`)\nEOF',
      `for f in a b; do sed -i s/a/b/ $f; done`,
    ],
    words: ['rm ', 'cp ', '$((', "$'", 'cd ', 'git ', 'checkout', 'env ', 'sudo ', 'EOF', 'A=$A$A;'],
    read: (text) => actsOfLine(text, '/home/me'),
  },
  {
    name: 'words for screens and models',
    samples: ['FAIL a.test.ts\n  expected 1\n\u001B[31mred\u001B[39m', 'a\tb '.repeat(50)],
    words: ['\u001B]0;', '\u0007', '\t', '\u0301', '`'.repeat(12), 'Error: '],
    read: showAll,
  },
];

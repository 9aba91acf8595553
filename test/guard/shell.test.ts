import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actsOf } from '../../src/guard/shell-acts.ts';
import { readShell, type Variables } from '../../src/guard/shell.ts';

/** The words of every command; what it writes by a redirection stands behind `>`. */
function read(line: string, variables: Variables = new Map([['HOME', '/home/me']])): string[][] {
  return readShell(line, variables)
    .map(({ words, outputs }) => [...words.map(({ text }) => text), ...outputs.map(({ text }) => `>${text}`)])
    .filter((words) => words.length > 0);
}

describe('words', () => {
  it.each([
    ['a  b\tc\r', ['a', 'b', 'c']],
    [`'a b'"c d"e\\ f`, ['a bc de f']],
    [`"a 'b'" 'c "d"'`, [`a 'b'`, `c "d"`]],
    [`"\\"\\$\\\`\\\\ \\n"`, ['"$`\\ \\n']],
    [`'\\' a`, ['\\', 'a']],
    [`$'a b' c`, ['a b', 'c']],
    [`'' "" a`, ['', '', 'a']],
    ['\\$HOME \\# \\~ \\> a', ['$HOME', '#', '~', '>', 'a']],
    ['a\\\nb \\\r\nc', ['ab', 'c']],
    ["'a", ['a']],
    ['"a', ['a']],
    ['"a\\', ['a\\']],
    ['a\\', ['a']],
    ['a # b', ['a']],
    ['a#b', ['a#b']],
    ['~ ~/a a~ a/~ ~me', ['/home/me', '/home/me/a', 'a~', 'a/~', '~me']],
    ['~', ['/home/me']],
    ['a ~\t~', ['a', '/home/me', '/home/me']],
    ['$HOME ${HOME}/a "$HOME" \'$HOME\'', ['/home/me', '/home/me/a', '/home/me', '$HOME']],
    ['${HOME:-/x}/a ${HOME%/*}', ['/home/me/a', '/home/me']],
    ['$NO ${NO}a', ['$NO', '$NOa']],
    ['a$ "$" $- $HOMES', ['a$', '$', '$-', '$HOMES']],
    ['a"$(b)"c', ['a$()c']],
  ])('%j', (line, words) => expect(read(line).at(-1)).toEqual(words));

  const quotings: ((text: string) => string)[] = [
    (text) => `'${text.replaceAll("'", `'\\''`)}'`,
    (text) => `"${text.replace(/[$`"\\]/g, '\\$&')}"`,
    (text) => text.replace(/./gsu, '\\$&'),
    (text) => `"${text.replace(/[$`"\\]/g, '\\$&')}"''""`,
  ];
  // A backslash and a newline are no character at all, so that no newline can be escaped that way.
  const pieces = fc.array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom(...`ab/. '"\`$(){}<>|&;\\~*?#=-!é`.split('')), minLength: 1 }),
      fc.nat(3),
    ),
    { minLength: 1, maxLength: 4 },
  );

  it('are what they are, whatever quotes they are written in', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.map(([part]) => part).join('');
        const quoted = parts.map(([part, how]) => quotings[how]?.(part)).join('');
        expect(read(`rm ${quoted} ${quoted}>${quoted}x`)).toEqual([['rm', text, text, `>${text}x`]]);
      }),
    );
  });

  it.each([
    ['a*', true],
    ['a?', true],
    ['{a', false],
    ["'a*'", false],
    ['"a*"', false],
    ['\\*', false],
    ["a'*'", false],
    ['$F', true],
    ['"$F"', true],
    ['a', false],
  ])('%s: a wildcard is %s', (line, wild) => {
    expect(readShell(line, new Map([['F', 'b*']]))[0]?.words[0]?.wild).toBe(wild);
  });
});

describe('commands', () => {
  it.each([
    ['a; b & c && d || e | f\ng', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    ['a|b', [['a'], ['b']]],
    ['(a);(b c)', [['a'], ['b', 'c']]],
    [';;\n\n', []],
    ['a # b\nc', [['a'], ['c']]],
    ['a $(b $(c)) d', [['c'], ['b', '$()'], ['a', '$()', 'd']]],
    ['a `b` c', [['b'], ['a', '$()', 'c']]],
    [
      '"`a "b c"`" d',
      [
        ['a', 'b c'],
        ['$()', 'd'],
      ],
    ],
    [
      'a $(b ")" \')\' \\) c) d',
      [
        ['b', ')', ')', ')', 'c'],
        ['a', '$()', 'd'],
      ],
    ],
    ['a $(b # )\n) c', [['b'], ['a', '$()', 'c']]],
    ['a $((1 + (2))) b', [['1', '+'], ['2'], ['a', '$()', 'b']]],
    ['a <(b) >(c d) e', [['b'], ['c', 'd'], ['a', '$()', '$()', 'e']]],
    ['a $(b', [['b'], ['a', '$()']]],
  ])('%j', (line, commands) => expect(read(line)).toEqual(commands));

  it('are joined by a pipe, and by nothing else', () => {
    const piped = (line: string) => readShell(line, new Map()).map((command) => command.piped);
    expect(piped('a | b |& c')).toEqual([false, true, true]);
    expect(piped('a || b; c && d & e\nf')).toEqual([false, false, false, false, false, false]);
    expect(piped('a $(x | y) | b; c')).toEqual([false, true, false, true, false]);
  });

  it('nested deeper than anyone writes are not read to the end', () => {
    const nested = (times: number): string[][] => read(`${'$('.repeat(times)}a${')'.repeat(times)}`);
    expect(nested(20)[0]).toEqual(['a']);
    expect(nested(21).flat()).not.toContain('a');
  });
});

describe('redirections', () => {
  it.each([
    ['a > b', [['a', '>b']]],
    ['a>b>>c>|d', [['a', '>b', '>c', '>d']]],
    ['> b', [['>b']]],
    [
      'a &> b; c &>> d; e >& f',
      [
        ['a', '>b'],
        ['c', '>d'],
        ['e', '>f'],
      ],
    ],
    ['a 2> b 10>c d2>e', [['a', 'd2', '>b', '>c', '>e']]],
    ['a 2 > b', [['a', '2', '>b']]],
    ['a 2b>c1', [['a', '2b', '>c1']]],
    ['a 2>&1 >&- 10>&12 b', [['a', 'b']]],
    [
      'a > 1b; c > -d',
      [
        ['a', '>1b'],
        ['c', '>-d'],
      ],
    ],
    ['a < b c <&3 d', [['a', 'c', 'd']]],
    ['a <> b', [['a', '>b']]],
    ['a > $(b) c', [['b'], ['a', 'c', '>$()']]],
    ['a > {b,c}', [['a', '>b', '>c']]],
    ['a >', [['a']]],
    ['a > ; b', [['a'], ['b']]],
    ['a &b', [['a'], ['b']]],
  ])('%j', (line, commands) => expect(read(line)).toEqual(commands));
});

describe('here-documents', () => {
  /** With what a command is given behind `<`. */
  const readGiven = (line: string): string[][] =>
    readShell(line, new Map()).map(({ words, outputs, given }) => [
      ...words.map(({ text }) => text),
      ...outputs.map(({ text }) => `>${text}`),
      ...(given === '' ? [] : [`<${given}`]),
    ]);

  it.each([
    ['a <<X\nb\nc\nX\nd', [['a', '<b\nc\n'], ['d']]],
    ["a << 'X' b\n$(c)\nX\n", [['a', 'b', '<$(c)\n']]],
    ['a <<X > b; c | d\nX e\n X\nX\nf', [['a', '>b', '<X e\n X\n'], ['c'], ['d'], ['f']]],
    ['a <<-X\n\tb\n\t\tX\nc', [['a', '<\tb\n'], ['c']]],
    ['a <<X\n\tX\nX\nb', [['a', '<\tX\n'], ['b']]],
    ['a <<-X\nX\t\n\tX\nb', [['a', '<X\t\n'], ['b']]],
    ['a <<X\r\nb\r\nX\r\nc', [['a', '<b\n'], ['c']]],
    ['a <<X <<Y\nb\nX\nc\nY\nd', [['a', '<b\nc\n'], ['d']]],
    ['a <<X; b <<Y\nc\nX\nd\nY\ne', [['a', '<c\n'], ['b', '<d\n'], ['e']]],
    ['a <<X\nb', [['a', '<b\n']]],
    ['a <<X', [['a']]],
    ['a <<X\nX', [['a']]],
    ['a <<X\nb\nX\nc <<Y\nd\nY\ne', [['a', '<b\n'], ['c', '<d\n'], ['e']]],
    ['a <<< "b c" d', [['a', 'd', '<b c\n']]],
  ])('%j', (line, commands) => expect(readGiven(line)).toEqual(commands));

  it('are no commands, whatever they hold, and end where they end', () => {
    const body = fc.array(
      fc.string({ unit: fc.constantFrom(...`ab '"\`$(){}<>|&;#\t-`.split(''), 'rm ', 'EO') }),
    );
    fc.assert(
      fc.property(body, (lines) => {
        const text = lines.map((line) => `${line}\n`).join('');
        expect(readGiven(`cat <<'EOF' > a\n${text}EOF\nb`)).toEqual([
          ['cat', '>a', ...(text === '' ? [] : [`<${text}`])],
          ['b'],
        ]);
        const commit = `git commit -m "$(cat <<'EOF'\n${text}EOF\n)" && rm a`;
        expect(read(commit)).toEqual([['cat'], ['git', 'commit', '-m', '$()'], ['rm', 'a']]);
        expect(actsOf(commit, new Map())).toMatchObject([{ how: 'remove', word: { text: 'a' } }]);
      }),
    );
  });
});

describe('variables', () => {
  it.each([
    ['F=a; rm $F', 'a'],
    ['F=a G=b && rm $F$G', 'ab'],
    ['F="a b"; rm "$F"', 'a b'],
    ['F="a\nb"; rm "$F"', 'a\nb'],
    ['F=a=b; rm $F', 'a=b'],
    ['MY_FILE=a; rm $MY_FILE', 'a'],
    ['F=a; F=; rm x$F', 'x'],
    ['export F=a; rm $F', 'a'],
    ['export -r G F=a; rm $F', 'a'],
    ['local F=a; rm $F', 'a'],
    ['for F in a; do rm $F; done', 'a'],
    ['for F in a*; do rm "$F"; done', 'a*'],
    ['F=a rm $F', '$F'],
    ['x-F=a; rm $F', '$F'],
    ['touch F=a; rm $F', '$F'],
    ['for F of a; do rm $F; done', '$F'],
    ['of F in a; do rm $F; done', '$F'],
    ['F=$(b); rm $F', '$()'],
  ])('%j', (line, text) =>
    expect(
      read(line)
        .find((words) => words.includes('rm'))
        ?.at(-1),
    ).toBe(text),
  );

  it('are not taken apart where they stand for too much', () => {
    expect(read(`rm ${'{a,b}'.repeat(6)}`)[0]).toHaveLength(65);
    expect(read(`rm ${'{a,b}'.repeat(7)}`)).toEqual([['rm', '{a,b}'.repeat(7)]]);
  });

  it('stand for each thing that a loop goes through', () => {
    expect(read('for f in a b/c; do rm x/$f; done')).toContainEqual(['rm', 'x/a', 'x/b/c']);
    expect(read('for f in /a /b; do\n  > "$f"\ndone')).toContainEqual(['>/a', '>/b']);
  });

  it('that double do not grow without end', () => {
    const variables = new Map([['A', 'b']]);
    read('A=$A$A;'.repeat(40), variables);
    expect(variables.get('A')?.length).toBeLessThan(1024 * 1024);
  });
});

describe('what a command is given', () => {
  const given = (line: string) => readShell(line, new Map()).at(-1)?.given;

  it('is the source of what is put in for it as well', () => {
    expect(given('rm $(ls a) `b` <(c)')).toBe('ls a)\nb`\nc)\n');
    expect(given('rm "$(b <<X\nc) "\nX\n)" d')).toContain('c) "');
  });
});

describe('a write is found', () => {
  const wrappings: ((line: string) => string)[] = [
    (line) => `true && ${line}`,
    (line) => `ls -la; ${line} # done`,
    (line) => `cat x 2>&1 | head\n${line}\necho "don't"`,
    (line) => `(${line}\n)`,
    (line) => `{ ${line}\n}`,
    (line) => `if [ -e x ]; then ${line}\nfi`,
    (line) => `for f in 1 2; do ${line}\ndone`,
    (line) => `echo "$(${line}\n)"`,
    (line) => `X=$(${line}\n)`,
    (line) => `diff <(${line}\n) x`,
    (line) => `cat <<'E1' > note\nIt's "here" $(\nE1\n${line}`,
    (line) => `(cd elsewhere && ls)\n${line}`,
  ];

  it('whatever it is wrapped in', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('rm tests/a', 'echo x > tests/a', "sed -i 's/x/y/' tests/a", 'ls | tee "tests/a"'),
        fc.uniqueArray(fc.nat(wrappings.length - 1), { maxLength: 3 }),
        (write, how) => {
          const line = how.reduce<string>((inner, k) => wrappings[k]?.(inner) ?? inner, write);
          expect(actsOf(line, new Map())).toContainEqual(
            expect.objectContaining({ word: { text: 'tests/a', wild: false }, folder: '' }),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

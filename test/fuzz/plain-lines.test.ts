/**
 * The reader of plain lines against bash itself. Whatever it calls plain, bash runs just these words and
 * writes just these files, or fewer of them, because a command before failed.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlainCommand, Word } from '#evidence/guard/plain.ts';
import { plainCommandsIn } from '#evidence/guard/shell-acts.ts';

const INPUTS = Number(process.env['DACAPO_FUZZ_INPUTS'] ?? 4_000);
const SEED = Number(process.env['DACAPO_FUZZ_SEED'] ?? 1);
/** Starting bash is what takes time. */
const MOST_RUN = Math.max(250, INPUTS / 20);
const HOME = '/home/me';

const PROGRAMS = ['a', 'b', 'git', 'nay'];
/** Each program writes down how it was called. `nay` fails, so that `||` goes on and `&&` does not. */
const STUB = `#!/bin/sh
printf '%s\\0' "\${0##*/}" "$@" "$END" >> "$RECORD"
[ "\${0##*/}" != nay ]
`;
/**
 * Runs each line in an empty folder of its own. What runs in the background holds the output open until it
 * ends.
 */
const DRIVER = `
for n in "$ROOT"/lines/*; do
  cd "$ROOT/in/\${n##*/}" || exit 1
  IFS= read -r -d '' line < "$n"
  RECORD="$ROOT/out/\${n##*/}" PATH="$ROOT/bin" HOME=${HOME} "$BASH" --norc -c "$line" 2>"$ROOT/err/\${n##*/}"
done`;
const END = '\u0001end\u0001';

/** What lines are made of: everything that means something to a shell. */
const unit = fc.constantFrom(
  ...'ab01 \t\n\'"\\$`#~*?[]{}()<>|&;!=:/.,-_+@%^é\r\u00a0'.split(''),
  ...PROGRAMS.map((name) => `${name} `),
  ...` |  |; | && | & | > x| >> x|2>&1| <x|'a b'|"a b"|<<'E'|<<E|<<<|# a| #|A=1 |A=|x|~/| ~|a~|if |cd x|$IFS|eval `.split(
    '|',
  ),
  '\n',
  '\\\n',
  '\\\\',
  ' || ',
  ' | ',
  '\nE\n',
  `"$(cat <<'E'\n`,
  '\nE\n)"',
  '>|',
  '|&',
  '"a\\"b"',
  "'\\'",
  ...`&>,>&,<>,'',"",[ , ]`.split(','),
);
const lines = fc.array(unit, { minLength: 1, maxLength: 14 }).map((units) => units.join(''));

interface Ran {
  readonly calls: readonly string[];
  readonly files: readonly string[];
  readonly errors: string;
}

/** What bash did with each line. */
function runAll(all: readonly string[]): Ran[] {
  const root = mkdtempSync(join(tmpdir(), 'dacapo-plain-'));
  try {
    for (const folder of ['lines', 'in', 'out', 'err', 'bin']) mkdirSync(join(root, folder));
    for (const name of PROGRAMS) writeFileSync(join(root, 'bin', name), STUB, { mode: 0o755 });
    symlinkSync('/bin/cat', join(root, 'bin/cat'));
    const names = all.map((_, n) => String(n).padStart(6, '0'));
    for (const [n, name] of names.entries()) {
      writeFileSync(join(root, 'lines', name), all[n] ?? '');
      mkdirSync(join(root, 'in', name));
    }
    const bash = '/bin/bash';
    const driven = spawnSync(bash, ['--norc', '-c', DRIVER], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ROOT: root, PATH: process.env['PATH'] ?? '', BASH: bash, END, LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    });
    expect(driven.stderr).toBe('');
    return names.map((name) => ({
      calls: (readRecord(join(root, 'out', name)) ?? '').split(`${END}\0`).slice(0, -1),
      files: readdirSync(join(root, 'in', name)),
      errors: readFileSync(join(root, 'err', name), 'utf8'),
    }));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Null: no program ran. */
function readRecord(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** A call as the stubs record it. A wildcard may stand for any number of files. */
function pattern(words: readonly Word[]): RegExp {
  const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return new RegExp(
    `^${words.map(({ text, wild }) => (wild ? '(?:[^\\u0000]*\\u0000)*' : `${escaped(text)}\\u0000`)).join('')}$`,
    's',
  );
}

/** Null: bash did what we read. */
function difference(
  line: string,
  commands: readonly PlainCommand[],
  { calls, files, errors }: Ran,
): string | null {
  const programs = commands.map(({ words }) => words[0]?.text ?? '');
  // What a script does is not in the line.
  if (programs.includes('.') || programs.includes('source')) return null;
  const expected = commands
    .filter((_, n) => PROGRAMS.includes(programs[n] ?? ''))
    .map(({ words }) => pattern(words));
  for (const call of calls) {
    const at = expected.findIndex((one) => one.test(call));
    if (at === -1) return `bash ran ${JSON.stringify(call)}`;
    expected.splice(at, 1);
  }
  const outputs = commands.flatMap((one) => one.outputs);
  const written = files.find(
    (file) => !outputs.some(({ text, wild }) => wild || text.replace(/^\.?\/+/, '') === file),
  );
  if (written !== undefined) return `bash wrote ${written}`;
  // Without errors, conditions and redirections, nothing is left out.
  const runsAll = errors === '' && !/[<>]|&&|\|\||nay/.test(line);
  return runsAll && expected.length > 0 ? `bash did not run ${String(expected[0])}` : null;
}

describe('a line that we call plain', () => {
  const read = (line: string) => plainCommandsIn(line, HOME);

  function differences(all: readonly string[]): string[] {
    const plain = all.flatMap((line) => {
      const commands = read(line);
      return commands === null ? [] : [{ line, commands }];
    });
    const ran = runAll(plain.map(({ line }) => line));
    return plain.flatMap(({ line, commands }, n) => {
      const found = difference(line, commands, ran[n] ?? { calls: [], files: [], errors: '' });
      return found === null ? [] : [`${JSON.stringify(line)}: ${found}`];
    });
  }

  it('is run by bash as we read it', { timeout: 600_000 }, () => {
    const all = fc.sample(lines, { numRuns: INPUTS, seed: SEED });
    const plain = [...new Set(all)].filter((line) => (read(line)?.length ?? 0) > 0);
    expect(plain.length).toBeGreaterThan(100);
    expect(differences(plain.slice(0, MOST_RUN))).toEqual([]);
  });
});

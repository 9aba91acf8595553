/** What dacapo ready makes of its words, where no file is involved. */
import { describe, expect, it } from 'vitest';
import { readReadyLine } from '#surfaces/cli/begin/ready.ts';

describe('the words behind dacapo ready', () => {
  it('are a prompt, even if it is too long to be the path of a folder', () => {
    const prompt = 'fix the parser '.repeat(500).trim();
    expect(readReadyLine([prompt, '--max-iterations', '3'])).toMatchObject({
      ok: true,
      value: { request: { prompt, maxIterations: 3 }, file: null, json: false },
    });
  });

  it('are all prompt behind --', () => {
    expect(readReadyLine(['--json', '--', 'print', '--json', '--prompt-file', 'x'])).toMatchObject({
      ok: true,
      value: { request: { prompt: 'print --json --prompt-file x' }, file: null, json: true },
    });
  });

  it.each([
    [['fix', '--jsn'], 'unknown-flag', '--jsn is not a flag of this command; the nearest one is --json.'],
    [['--prompt-file'], 'missing-value', '--prompt-file has no value.'],
    [['--prompt-file', 'a', '--prompt-file', 'b'], 'flag-twice', '--prompt-file is given twice.'],
    [['--prompt-file', 'no-such-file.md'], 'no-file', 'no-such-file.md does not exist.'],
  ])('%j is refused: %s', (words, code, message) => {
    expect(readReadyLine(words)).toMatchObject({ ok: false, code, message });
  });
});

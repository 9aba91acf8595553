/**
 * The runner of the tests: what it leaves out, what it says of that, and when a whole run counts as failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NEEDS, leftOut, taggedFiles } from '../scripts/test/tiers.mjs';

const ROOT = resolve(import.meta.dirname, '..');

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'dc-tiers-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('what the quick tier leaves out', () => {
  test('is found by the tags of files and of single tests', () => {
    const root = folder();
    mkdirSync(join(root, 'test/law'), { recursive: true });
    // In pieces: whole, they would tag this file.
    const [ofFile, ofTest] = ['@module-' + 'tag', 'ta' + 'gs'];
    writeFileSync(join(root, 'test/law/a.test.ts'), `// ${ofFile} slow\ntest('x', () => {});\n`);
    writeFileSync(join(root, 'test/b.test.ts'), `test('x', { ${ofTest}: ['tmux', 'jq'] }, () => {});\n`);
    writeFileSync(join(root, 'test/c.test.ts'), "test('x', () => {});\n");
    expect(taggedFiles(root).toSorted((a, b) => a.file.localeCompare(b.file))).toEqual([
      { file: 'test/b.test.ts', whole: [], some: ['tmux', 'jq'] },
      { file: 'test/c.test.ts', whole: [], some: [] },
      { file: 'test/law/a.test.ts', whole: ['slow'], some: [] },
    ]);
    expect(leftOut(root, []).map(({ tag, files }) => [tag, files])).toEqual([
      ['tmux', 1],
      ['jq', 1],
      ['slow', 1],
    ]);
    expect(leftOut(root, ['test/law/']).map(({ tag }) => tag)).toEqual(['slow']);
  });

  test('has a test for each need, and no file has a tag that is not one', () => {
    const known = NEEDS.map(({ tag }) => tag);
    const used = taggedFiles(ROOT).flatMap(({ whole }) => whole);
    expect(used.filter((tag) => !known.includes(tag))).toEqual([]);
    expect(leftOut(ROOT, []).map(({ tag }) => tag)).toEqual(known);
  });
});

describe('the end of a continuous run', () => {
  const passed = { status: 'passed', fullName: 'one', failureMessages: [] };
  const again = { ...passed, fullName: 'late', failureMessages: ['timed out\nat a\nat b\nat c'] };

  function summary(tests: readonly object[], more: object = {}, status = 0) {
    const results = join(folder(), 'results.json');
    const file = { status: 'passed', assertionResults: tests };
    const run = { numPassedTests: tests.length, numFailedTests: 0, testResults: [file], ...more };
    writeFileSync(results, status === 2 ? '' : JSON.stringify(run));
    const ended = spawnSync(process.execPath, ['scripts/test/summary.mjs', results, String(status)], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return { exit: ended.status, says: ended.stdout };
  }

  test('counts', () => {
    expect(summary([passed, passed])).toEqual({ exit: 0, says: '\n2 passed, 0 failed\n' });
    expect(summary([passed], { numFailedTests: 3 }, 1)).toEqual({ exit: 1, says: '\n1 passed, 3 failed\n' });
  });

  test('names each test that needed a second try, and fails where there are more than five', () => {
    const few = summary(Array.from({ length: 5 }, () => again));
    expect(few.exit).toBe(0);
    expect(few.says).toContain('passed at the second try: late\ntimed out\nat a\nat b\n');
    const many = summary(Array.from({ length: 6 }, () => again));
    expect(many.exit).toBe(1);
    expect(many.says).toMatch(/6 tests needed a second try; at most 5 may\.\n\n6 passed, 1 failed\n$/);
  });

  test('fails where a file did not load, and where no test was run', () => {
    const unloaded = { testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(summary([], unloaded, 1).says).toBe('\n0 passed, 1 failed\n');
    expect(summary([], {}, 2)).toEqual({ exit: 1, says: '\n0 passed, 1 failed\n' });
  });
});

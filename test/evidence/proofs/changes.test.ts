import { describe, expect, it } from 'vitest';
import { CONFIG_NAMES } from '#evidence/proofs/stop-hooks/config-file.ts';
import {
  changesBetween,
  fileListing,
  protectedResult,
  type ProtectedChange,
} from '#evidence/proofs/changes.ts';
import { sayForbidden, type Forbidden } from '#evidence/guard/refusals.ts';

const A = { path: 'tests/a', hash: '1' };
const B = { path: 'tests/b', hash: '2' };

describe('protected files', () => {
  it('are as they were, or changed, added, deleted', () => {
    expect(changesBetween([A, B], [B, A])).toEqual([]);
    expect(changesBetween([A, B], [{ ...A, hash: '3' }, B])).toEqual([{ path: 'tests/a', how: 'changed' }]);
    expect(changesBetween([A], [A, B])).toEqual([{ path: 'tests/b', how: 'added' }]);
    expect(changesBetween([A, B], [B])).toEqual([{ path: 'tests/a', how: 'deleted' }]);
    expect(changesBetween([A], [{ ...A, path: 'tests/c' }])).toEqual([
      { path: 'tests/c', how: 'added' },
      { path: 'tests/a', how: 'deleted' },
    ]);
  });

  it('are listed by path and hash', () => {
    expect(fileListing([A, B])).toBe(true);
    expect(fileListing([{ path: 'tests/a' }])).toBe(false);
    expect(fileListing([{ hash: '1' }])).toBe(false);
  });

  it('hold while they are as they were', () => {
    const gateResult = { gate: 'protected', holds: true, trouble: null };
    expect(protectedResult(1, [], 'X')).toEqual({ ...gateResult, says: '1 protected file unchanged' });
    expect(protectedResult(2, [], 'X')).toEqual({
      ...gateResult,
      says: '2 protected files unchanged',
    });
  });
});

describe('of changes, the agent is told', () => {
  const changed: ProtectedChange = { path: 'tests/a', how: 'changed' };
  const deleted: ProtectedChange = { path: 'tests/b', how: 'deleted' };
  const added: ProtectedChange = { path: 'tests/c', how: 'added' };
  const says = (...changes: ProtectedChange[]): string => {
    const { says: words, ...gateResult } = protectedResult(3, changes, 'LOOP');
    expect(gateResult).toEqual({ gate: 'protected', holds: false, trouble: null });
    return words;
  };

  it('which they are, how to undo them, and who can accept them', () => {
    expect(says(changed, deleted, added)).toBe(
      'tests/a (changed), tests/b (deleted), tests/c (added): protected, and not as when the loop began, so nothing counts as done. Put it back: `git checkout -- tests/a tests/b` (if git has it so) and `rm tests/c`. Only a person can accept the change: dacapo resume LOOP --accept-changes',
    );
  });

  it('no way back that is not needed', () => {
    expect(says(changed)).toContain('Put it back: `git checkout -- tests/a` (if git has it so). Only');
    expect(says(added)).toContain('Put it back: `rm tests/c`. Only');
  });

  it('five of many, each on one line and short', () => {
    const many = Array.from({ length: 7 }, (_, k): ProtectedChange => ({ path: `t/${k}`, how: 'changed' }));
    expect(says(...many)).toContain('t/4 (changed), and 2 more: protected');
    expect(says(...many)).toContain('`git checkout -- t/0 t/1 t/2 t/3 t/4` (');
    const odd = says({ path: `a\nb${'c'.repeat(500)}`, how: 'added' });
    expect(odd).not.toContain('\n');
    expect(odd.length).toBeLessThan(600);
  });
});

describe('what the agent may not write', () => {
  const blocked = 'end with <promise>BLOCKED: why</promise>.';

  it.each<[Forbidden, string, string]>([
    [
      { is: 'home', path: '/state/x' },
      '/state/x belongs to its own record of your loop',
      'ontinue with the task',
    ],
    [
      { is: 'definition', path: 'view.md' },
      'view.md holds the definition of the loop',
      'ontinue with the task.',
    ],
    [
      { is: 'config', path: 'dacapo.config.ts' },
      'dacapo.config.ts says how your work is checked',
      'Make the code pass the checks instead of changing them.',
    ],
    [
      { is: 'protected', path: 'tests/a' },
      'tests/a is protected (--protect tests/**, !tests/tmp/**)',
      'Make the code pass the test instead of changing the test.',
    ],
    [
      { is: 'command', command: 'dacapo trust' },
      '`dacapo trust` is for a person to say',
      'ontinue with the task.',
    ],
  ])('%j is refused with the reason and the way on', (what, reason, wayOn) => {
    const words = sayForbidden(what, ['tests/**', '!tests/tmp/**']);
    expect(words).toContain(`Da Capo refuses this: ${reason}`);
    expect(words).toContain(wayOn);
    expect(words.endsWith(blocked)).toBe(true);
  });

  it('is named in one line, and not at any length', () => {
    const words = sayForbidden({ is: 'command', command: `dacapo approve\n${'x'.repeat(5_000)}` }, []);
    expect(words).toContain('`dacapo approve xxx');
    expect(words.length).toBeLessThan(500);
  });
});

it('a config has one of four names, of which the first counts', () => {
  expect(CONFIG_NAMES).toEqual([
    'dacapo.config.js',
    'dacapo.config.mjs',
    'dacapo.config.ts',
    'dacapo.config.json',
  ]);
});

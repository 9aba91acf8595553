/**
 * The ground of the checks: the tests, fixtures, configs and scripts that decide how they judge. An agent
 * that changes them decides its own result. So a completion on changed ground counts as proven only if the
 * checks also pass with the ground of the start, in a clean room. This file decides what such a look means;
 * `proofs/ground` looks.
 */
import { few, plural } from '../words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { GateResult } from '../record/verdict.ts';

export interface GroundChange {
  readonly path: string;
  /** `touched`: while the checks ran, and put back. */
  readonly how: 'changed' | 'added' | 'deleted' | 'touched';
}

/** How the checks went in a clean room, with the loop's work and the ground of the start. */
export type RoomOutcome =
  | { readonly is: 'green' }
  /**
   * `fails`: which check, in words. With the ground of now they pass there, so the ground makes the
   * difference.
   */
  | { readonly is: 'red'; readonly fails: string; readonly output: string }
  /** They fail there with the ground of now as well: the room lacks something that the project has. */
  | { readonly is: 'unlike'; readonly fails: string; readonly output: string }
  | { readonly is: 'unmade'; readonly why: string }
  /** No check holds here; what holds is a measure. */
  | { readonly is: 'untested' }
  /** The stop has no time left for it. */
  | { readonly is: 'late' };

/** How the new tests went on the code of the start. */
export type WithoutWork =
  | 'red'
  | 'green'
  /** It can't be told: that code is not kept, or the tests do not run by themselves. */
  | 'unknown'
  /** The stop has no time left for it. */
  | 'late';

export interface GroundSeen {
  readonly changes: readonly GroundChange[];
  /** Dependencies that the project asks for by now, and did not at the start. */
  readonly dependencies: readonly GroundChange[];
  /** The start had no tests, and now there are some. */
  readonly hasFirstTests: boolean;
  /** `--tests-may-change` */
  readonly mayChange: boolean;
  /** Null: nothing has changed, so no check ran there. */
  readonly room: RoomOutcome | null;
  /** Null: there are no new tests. */
  readonly without: WithoutWork | null;
  /** `--red-first` */
  readonly redFirst: boolean;
  /** A check failed at the start, so a test is known that fails without the work. */
  readonly wasRed: boolean;
  /** The stop before told the agent of these very files. */
  readonly wasTold: boolean;
}

const MAX_FILES_NAMED = 5;
/** The rest is not kept: an install may change thousands, and each is in every cache of the loop. */
const MAX_FILES_KEPT = 100;
const MAX_PATH_CHARS = 120;

export function sayGroundChange({ path, how }: GroundChange): string {
  const name = oneLine(path, MAX_PATH_CHARS);
  if (how === 'touched') return `${name} (touched while the checks ran)`;
  return how === 'changed' ? name : `${name} (${how})`;
}

/** The changes as a gate result keeps them. */
export function keptChanges(changes: readonly GroundChange[]): string[] {
  return changes.slice(0, MAX_FILES_KEPT).map(sayGroundChange);
}

export function groundResult(seen: GroundSeen): GateResult {
  const result = roomResult(seen);
  const isOpen = !result.holds || result.doubt === true;
  return isOpen ? result : withDependencies(withoutWork(result, seen), seen.dependencies);
}

/**
 * Where the start had no tests, those that the loop wrote are all that there is: they may complete it, but
 * they are the agent's own, so nothing is proven.
 */
function roomResult(seen: GroundSeen): GateResult {
  const { changes, hasFirstTests, mayChange, room } = seen;
  const files = keptChanges(changes);
  const names = nameFew(changes);
  if (room === null)
    return groundGate(true, 'tests and configs are those of the start', { is: 'unchanged', files });
  if (room.is === 'green') {
    const says = `the checks also pass with the tests and configs of the start; changed since: ${names}`;
    return groundGate(true, says, { is: 'old', files });
  }
  const changed = { is: 'changed', files } as const;
  if (room.is === 'untested') return groundGate(true, `tests or configs have changed: ${names}`, changed);
  if (room.is !== 'late' && (mayChange || hasFirstTests)) {
    const why = mayChange ? '--tests-may-change allows it' : 'there were none at the start';
    return groundGate(true, `the checks pass with other tests or configs (${why}): ${names}`, changed);
  }
  switch (room.is) {
    case 'red':
      return groundGate(false, sayRed(room, names), changed);
    case 'unlike': {
      const says =
        `The checks pass here and not in a clean copy of the same files: ${room.fails}. The copy has ` +
        'what git knows, so it lacks something that git does not. --setup CMD can prepare it. Changed ' +
        `tests or configs: ${names}${quoted(room.output)}`;
      return inDoubtOnceTold(groundGate(false, says, changed), seen.wasTold);
    }
    case 'unmade': {
      const says =
        `Tests or configs behind the checks have changed (${names}), and the checks could not be run ` +
        `with those of the start: ${room.why}`;
      return { ...groundGate(true, says, changed), doubt: true };
    }
    case 'late': {
      const says =
        `tests or configs behind the checks have changed (${names}); the checks run again with those ` +
        'of the start';
      return { ...groundGate(false, says, changed), waits: true };
    }
  }
}

/**
 * Tests that pass on the code of the start show nothing about the work. Those that fail there show that it is
 * needed.
 */
function withoutWork(held: GateResult, { without, redFirst, wasRed }: GroundSeen): GateResult {
  const { ground, says } = held;
  if (ground === undefined) return held;
  const needsRed = redFirst && !wasRed;
  switch (without) {
    case null:
      return needsRed ? redFirstResult() : held;
    case 'red':
      return { ...held, ground: { ...ground, without } };
    case 'unknown': {
      const unknown =
        `${says}. The new tests could not be run on the code of the start, and --red-first asks for ` +
        'one that fails there';
      return needsRed ? { ...held, says: unknown, doubt: true } : held;
    }
    case 'late':
      return { ...held, holds: false, waits: true, says: 'the new tests run on the code of the start' };
    case 'green': {
      const vacuous = 'new tests pass on the code of the start as well, so they show nothing about the work';
      const asked = `${vacuous}, and --red-first asks for tests that fail without it`;
      const told = redFirst ? `the ${asked}` : `${says}. The ${vacuous}`;
      return { ...held, holds: !redFirst, says: told, ground: { ...ground, without } };
    }
  }
}

/** With `--red-first`, where no check was red at the start and no test is new. */
function redFirstResult(): GateResult {
  const says =
    'no test fails without your work, and --red-first asks for one: add a test that fails on the ' +
    'code of the start and passes now';
  return { gate: 'ground', holds: false, says, trouble: null };
}

/**
 * They can decide how a check judges, and only a setup of their own would show that they are what they say.
 */
function withDependencies(held: GateResult, changes: readonly GroundChange[]): GateResult {
  const { ground, says } = held;
  if (changes.length === 0 || ground === undefined) return held;
  const dependencies = keptChanges(changes);
  const more =
    `${says}. The loop also changed what the project depends on (${nameFew(changes)}), which the ` +
    'checks depend on as well, so nothing is called proven';
  const changed = {
    ...ground,
    is: 'changed',
    files: [...ground.files, ...dependencies],
    dependencies,
  } as const;
  return { ...held, says: more, ground: changed };
}

/** Who changed dependencies that were there at the start, or what lies outside of the project. */
export type PackagesChanged =
  /** Nothing asks for other ones. */
  | 'unasked'
  /** The files that ask for them have changed, too. */
  | 'asked'
  /** A check that ran in a clean room, where they are linked. */
  | 'in the room'
  /** Settings and programs that no room has as they were. */
  | 'outside';

/** Whoever can change a dependency of the tests decides what they say. */
export function packagesResult(
  changes: readonly GroundChange[],
  how: PackagesChanged,
  wasTold: boolean,
): GateResult {
  const files = keptChanges(changes);
  const says = `${PACKAGES[how]}: ${nameFew(changes)}. ${sayNext(how)}`;
  return inDoubtOnceTold(groundGate(false, says, { is: 'changed', files, dependencies: files }), wasTold);
}

const PACKAGES: Readonly<Record<PackagesChanged, string>> = {
  unasked: 'Dependencies have changed since the start, while the files that ask for them have not',
  asked: 'Dependencies that were there at the start have changed, and the checks depend on them',
  outside: 'Settings or programs outside of the project, which the checks use, have changed since the start',
  'in the room':
    'A check changed dependencies of the project when it ran in a clean copy, so it does not count',
};

function sayNext(how: PackagesChanged): string {
  if (how === 'outside') return 'Put them back as they were';
  const putBack = 'Put them back as they were installed';
  if (how !== 'asked') return putBack;
  return `${putBack}. If the task needs them, leave them: a person is asked at the next stop`;
}

/**
 * The agent may be able to mend it. If it was told and it is still so, only a person can say whether the
 * checks count.
 */
function inDoubtOnceTold(told: GateResult, wasTold: boolean): GateResult {
  return wasTold ? { ...told, holds: true, doubt: true } : told;
}

function sayRed(
  { fails, output }: { readonly fails: string; readonly output: string },
  names: string,
): string {
  return (
    `${fails} with the tests and configs as they were at the start. Changed since: ${names}. You can't ` +
    'finish by changing them: make the code pass the tests of the start. If the task itself asks for ' +
    `other tests, end with <promise>TESTS_CHANGED: why</promise>, and a person decides${quoted(output)}`
  );
}

const OUTPUT_LINES = 5;
const MAX_LINE_CHARS = 160;

/** Each line is marked, so that none can be mistaken for ours. */
function quoted(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(-OUTPUT_LINES).map((line) => `\n  | ${oneLine(line, MAX_LINE_CHARS)}`);
  return shown.length === 0 ? '' : `. From its output:${shown.join('')}`;
}

function nameFew(changes: readonly GroundChange[]): string {
  return few(changes, sayGroundChange, MAX_FILES_NAMED).join(', ');
}

function groundGate(holds: boolean, says: string, ground: NonNullable<GateResult['ground']>): GateResult {
  return { gate: 'ground', holds, says, trouble: null, ground };
}

/** What the person is told at the start about what the checks stand on. */
export function sayGround(tests: number, configs: readonly string[]): string {
  const parts = [
    tests === 0 ? 'no tests found' : `its tests: ${plural(tests, 'file')}`,
    ...(configs.length === 0
      ? []
      : [
          `its configs: ${few(configs, (name) => oneLine(name, MAX_PATH_CHARS), MAX_FILES_NAMED).join(', ')}`,
        ]),
  ];
  return parts.join('; ');
}

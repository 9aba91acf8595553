/** Files of a program run from compiled code. Code that is damaged or of another source must never run. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compiledRequire } from '#store/file/compiled.ts';
import { temporaryFolder } from '../folder.ts';

const ANSWER = `module.exports = { answer: () => 'one', path: require('node:path').join('a', 'b'), folder: __dirname };`;

function makeProgram() {
  const root = temporaryFolder();
  const [folder, home, project] = [join(root, 'a folder'), join(root, 'home'), join(root, 'project')];
  for (const dir of [folder, home, project]) mkdirSync(dir, { mode: 0o700 });
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  put('main.cjs', ANSWER);
  /**
   * Loads main.cjs as a program that starts now. Returns its exports, and whether it was compiled for that.
   */
  const start = (name = './main.cjs', at = home) => {
    const kept: (() => void)[] = [];
    const load = compiledRequire({
      folder,
      home: at,
      project,
      require: createRequire(import.meta.url),
      later: (keep) => kept.push(keep),
    });
    const exports = load(name) as { answer: () => string; path: string; folder: string };
    for (const keep of kept) keep();
    return { exports, load, compiled: kept.length };
  };
  /** Two runs: only what runs twice is kept. */
  const startTwice = () => {
    start();
    start();
  };
  const cache = () => {
    const [name = 'none'] = readdirSync(join(home, 'cache'));
    return join(home, 'cache', name);
  };
  return { folder, home, project, put, start, startTwice, cache };
}

describe('compiled code', () => {
  test('is kept by the second run, and used by the third', () => {
    const program = makeProgram();
    expect(program.start().compiled).toBe(1);
    expect(readFileSync(program.cache())).toHaveLength(0);
    expect(program.start().compiled).toBe(1);
    const { exports, compiled } = program.start();
    expect(compiled).toBe(0);
    expect(exports.answer()).toBe('one');
    expect(exports).toMatchObject({ path: join('a', 'b'), folder: program.folder });
  });

  test('of another source is not used, not even where the source has the same length', () => {
    const program = makeProgram();
    program.startTwice();
    program.put('main.cjs', ANSWER.replace('one', 'two'));
    const { exports, compiled } = program.start();
    expect(exports.answer()).toBe('two');
    expect(compiled).toBe(1);
    expect(program.start().exports.answer()).toBe('two');
  });

  test('that is damaged anywhere, cut off or empty is not used, and is made again', () => {
    const program = makeProgram();
    program.startTwice();
    const whole = readFileSync(program.cache());
    const flipped = (at: number) => Buffer.from(whole.map((byte, k) => (k === at ? byte ^ 1 : byte)));
    const damaged = [0, 100, whole.length >> 1, whole.length - 1].map(flipped);
    for (const content of [...damaged, whole.subarray(0, 300), whole.subarray(1), Buffer.alloc(0)]) {
      writeFileSync(program.cache(), content);
      expect(program.start()).toMatchObject({ compiled: 1 });
      expect(program.start()).toMatchObject({ compiled: 0 });
    }
  });

  test('of another Node, or with other flags, is not used', () => {
    const program = makeProgram();
    program.startTwice();
    const whole = readFileSync(program.cache());
    const code = whole.subarray(0, (whole.length - ANSWER.length) / 2);
    // V8 keeps its version and a hash of its flags at the start of the code. It would not look at code of a
    // source that this process has compiled.
    code.fill(7, 0, 16);
    const source = ANSWER.replace('one', 'six');
    program.put('main.cjs', source);
    writeFileSync(program.cache(), Buffer.concat([code, code, Buffer.from(source)]));
    expect(program.start()).toMatchObject({ compiled: 1 });
    expect(program.start()).toMatchObject({ compiled: 0 });
  });

  test('of each file beside a program is kept by itself, and each file runs once', () => {
    const program = makeProgram();
    program.put('main.cjs', `module.exports = [require('./other.cjs'), require('./other.cjs')];`);
    program.put(
      'other.cjs',
      `module.exports = { loaded: (globalThis.loads = (globalThis.loads ?? 0) + 1) };`,
    );
    expect(program.start()).toMatchObject({ compiled: 2, exports: [{ loaded: 1 }, { loaded: 1 }] });
    expect(program.start()).toMatchObject({ compiled: 2, exports: [{ loaded: 2 }, { loaded: 2 }] });
    program.put('other.cjs', `module.exports = 'changed';`);
    expect(program.start()).toMatchObject({ compiled: 1, exports: ['changed', 'changed'] });
  });

  test('has a name that fits, however long the path is', () => {
    const program = makeProgram();
    const deep = join(...Array.from({ length: 8 }, () => 'a long name '.repeat(10)));
    mkdirSync(join(program.folder, deep), { recursive: true });
    program.put(join(deep, 'main.cjs'), ANSWER);
    const compiled = [1, 2, 3].map(() => program.start(`./${deep}/main.cjs`).compiled);
    expect(compiled).toEqual([1, 1, 0]);
  });

  test('that nobody made again for a month goes when other code is kept', () => {
    const program = makeProgram();
    program.startTwice();
    const old = program.cache();
    const month = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    utimesSync(old, month, month);
    expect(program.start().compiled).toBe(0);
    program.put('other.cjs', ANSWER);
    for (const run of [1, 2]) expect(program.start('./other.cjs').compiled, `run ${run}`).toBe(1);
    expect(existsSync(old)).toBe(false);
    expect(readdirSync(join(program.home, 'cache'))).toHaveLength(1);
  });

  describe.runIf(process.platform !== 'win32')('that somebody else may have put there is not run', () => {
    /** Puts code in place that answers 'two', as if it were of the source that answers 'one'. */
    const planted = () => {
      const program = makeProgram();
      const evil = ANSWER.replace('one', 'two');
      program.put('main.cjs', evil);
      program.startTwice();
      const whole = readFileSync(program.cache());
      writeFileSync(
        program.cache(),
        Buffer.concat([whole.subarray(0, whole.length - evil.length), Buffer.from(ANSWER)]),
      );
      program.put('main.cjs', ANSWER);
      return program;
    };

    test('V8 itself would run it', () => {
      expect(planted().start().exports.answer()).toBe('two');
    });

    test.each([
      ['the state folder', (home: string) => home],
      ['its cache', (home: string) => join(home, 'cache')],
      ['the file', (_home: string, file: string) => file],
    ])('where others can write %s', (_what, place) => {
      const program = planted();
      chmodSync(place(program.home, program.cache()), 0o770);
      expect(program.start().exports.answer()).toBe('one');
    });

    test.runIf(process.getuid?.() === 0)('where the file belongs to another user: it is replaced', () => {
      const program = planted();
      chownSync(program.cache(), 65_534, 65_534);
      for (const compiled of [1, 0]) {
        const start = program.start();
        expect(start.exports.answer()).toBe('one');
        expect(start.compiled).toBe(compiled);
      }
    });

    test('where the state folder is in the project, also behind a link', () => {
      const program = planted();
      const inside = join(program.project, 'state');
      const link = join(program.folder, 'link');
      renameSync(program.home, inside);
      symlinkSync(inside, link);
      for (const home of [inside, link, `${program.project}/../project/state`])
        expect(program.start('./main.cjs', home)).toMatchObject({ compiled: 0 });
      expect(program.start('./main.cjs', inside).exports.answer()).toBe('one');
    });
  });

  test("that can't be kept is not an error", () => {
    const program = makeProgram();
    rmSync(program.home, { recursive: true });
    writeFileSync(program.home, 'a file where the home should be');
    for (let run = 0; run < 2; run++) expect(program.start().exports.answer()).toBe('one');
  });

  test('a file that is missing or wrong is an error, as with any require', () => {
    const program = makeProgram();
    expect(() => program.start('./gone.cjs')).toThrow('ENOENT');
    program.put('wrong.cjs', 'const = 1;');
    expect(() => program.start('./wrong.cjs')).toThrow(SyntaxError);
    program.put('throws.cjs', 'throw new Error("not today");');
    expect(() => program.start('./throws.cjs')).toThrow('not today');
  });
});

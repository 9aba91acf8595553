// A marketplace install is a plain clone, so plugin/dist is committed. It must be what the sources give.

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const committed = join(root, 'plugin/dist');

describe('plugin/dist', () => {
  const fresh = mkdtempSync(join(tmpdir(), 'dacapo-dist-'));
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build/build.mjs', '--only', 'plugin', '--plugin-out', fresh], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  });
  afterAll(() => rmSync(fresh, { recursive: true, force: true }));

  test('is what a fresh build gives, byte for byte (else: npm run build)', () => {
    expect(readdirSync(committed).toSorted()).toEqual(readdirSync(fresh).toSorted());
    const different = readdirSync(fresh).filter((name) => !bytes(committed, name).equals(bytes(fresh, name)));
    expect(different).toEqual([]);
  });

  test('is committed, not only built', () => {
    if (!existsSync(join(root, '.git'))) return;
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
    const tracked = git('ls-files', 'plugin/dist').split('\n').filter(Boolean);
    expect(tracked.toSorted()).toEqual(
      readdirSync(fresh)
        .map((name) => `plugin/dist/${name}`)
        .toSorted(),
    );
    expect(git('check-attr', 'eol', 'plugin/dist/hook.cjs')).toContain('eol: lf');
  });

  test('every event compiles at most 2 KB; it runs at most 12 KB, and a common stop of a loop 32 KB more', () => {
    const kb = (name: string) => bytes(fresh, name).length / 1024;
    expect(kb('hook.cjs')).toBeLessThanOrEqual(2);
    expect(kb('hook-program.cjs')).toBeLessThanOrEqual(12);
    expect(kb('stop.cjs')).toBeLessThanOrEqual(32);
  });

  test('every program needs nothing but Node and the files beside it', () => {
    const siblings = readdirSync(fresh).map((name) => `./${name}`);
    for (const name of readdirSync(fresh).filter((file) => file.endsWith('.cjs'))) {
      const code = bytes(fresh, name).toString();
      const required = [...code.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map((match) => match[1] ?? '');
      expect(required.filter((id) => !id.startsWith('node:') && !siblings.includes(id))).toEqual([]);
      // The one that loads other people's modules, which may be of either kind.
      expect(/\bimport\(/.test(code)).toBe(name === 'hooks-runner.cjs');
    }
  });

  test('a common stop loads one or two files beside the hook, and none of the slow modules of Node', () => {
    const stage = mkdtempSync(join(tmpdir(), 'dacapo-loads-'));
    const start = {
      hook_event_name: 'UserPromptExpansion',
      command_name: 'ralph',
      command_args: 'Build it.',
    };
    const stop = { hook_event_name: 'Stop', last_assistant_message: 'One.' };
    const next = { ...stop, last_assistant_message: 'Two.' };
    const beside = { ...next, session_id: 'another' };
    const seen = [stop, start, stop, next, beside].map((event) =>
      loadedAt(stage, join(fresh, 'hook.cjs'), event),
    );
    rmSync(stage, { recursive: true, force: true });
    expect(seen[0]).toEqual({ files: ['hook-program.cjs'], slow: [] });
    expect(seen[1]?.files).toContain('rest.cjs');
    expect(seen[3]).toEqual({ files: ['hook-program.cjs', 'stop.cjs'], slow: [] });
    expect(seen[4]).toEqual({ files: ['hook-program.cjs'], slow: [] });
  });

  test('the Markdown parser loads by itself', () => {
    expect(Object.keys(createRequire(import.meta.url)(join(fresh, 'markdown.cjs')) as object)).not.toEqual(
      [],
    );
  });

  test('the licences of what is bundled are beside it', () => {
    const text = bytes(fresh, 'THIRD_PARTY.txt').toString();
    for (const name of ['entities', 'linkify-it', 'markdown-it', 'mdurl', 'uc.micro'])
      expect(text).toContain(`\n${name} `);
  });
});

/** What a run of the hook has loaded: files beside it, and those of Node's modules that cost milliseconds. */
function loadedAt(stage: string, hook: string, event: object): { files: string[]; slow: string[] } {
  const [report, preload] = [join(stage, 'loaded.json'), join(stage, 'preload.cjs')];
  const transcript = join(stage, 'transcript.jsonl');
  appendFileSync(transcript, '{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}\n');
  writeFileSync(
    preload,
    `const files = [];
    const vm = require('node:vm');
    vm.Script = class extends vm.Script {
      constructor(code, options) {
        super(code, options);
        files.push(require('node:path').basename(options.filename));
      }
    };
    process.on('exit', () => {
      // Without a home, Node loads the files itself.
      const isBeside = (file) => file !== process.argv[1] && file.startsWith(${JSON.stringify(dirname(hook))});
      files.push(...Object.keys(require.cache).filter(isBeside).map((file) => require('node:path').basename(file)));
      const slow = process.moduleLoadList.filter((name) => / (crypto|child_process|os|http|net|stream)$/.test(name));
      require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify({ files, slow }));
    });`,
  );
  const common = { session_id: 's', prompt_id: 'p', cwd: stage, transcript_path: transcript };
  execFileSync(process.execPath, ['-r', preload, hook], {
    input: JSON.stringify({ ...common, ...event }),
    env: {
      HOME: stage,
      LOCALAPPDATA: stage,
      CLAUDE_PROJECT_DIR: stage,
      CLAUDE_PID: String(process.pid),
      CLAUDE_CODE_SESSION_ID: 'session_id' in event ? String(event.session_id) : common.session_id,
    },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  return JSON.parse(readFileSync(report, 'utf8')) as { files: string[]; slow: string[] };
}

function bytes(folder: string, name: string): Buffer {
  return readFileSync(join(folder, name));
}

/** What a project holds: views in every format, lists, patterns, and what git says of it. */
import { globs } from '#base/globs.ts';
import { readChecklist } from '#evidence/lists/checklist.ts';
import { readFeatures } from '#evidence/lists/features.ts';
import { keepsWaiting, readItemList } from '#evidence/lists/items.ts';
import { dirtyIn, parseDifferences, readStatus, readTracked } from '#evidence/git/lists.ts';
import {
  parseFrontMatter,
  readHandWritten,
  readMarkdown,
  renderMarkdown,
} from '#evidence/views/markdown/format.ts';
import { readProgress, readProgressLines, renderProgress } from '#evidence/views/progress/format.ts';
import {
  readIdle,
  readIdleState,
  readStack,
  readStackState,
  renderIdle,
  renderStack,
} from '#evidence/views/stack/format.ts';
import { readVault, readVaultFile, renderVault } from '#evidence/views/vault/format.ts';
import { frontMatterKeys } from '#hosts/kit/front-matter.ts';
import { PROMISE, running } from '../../law/given.ts';
import { JSON_WORDS, must, type Target } from '../target.ts';

const LOOP = running({ gates: [PROMISE] });
const VAULT_FACTS = { iterations: [], errors: [], awaitsApproval: false, moved: null };

/** What we write into a view is no edit of a person, whatever the prompt is. */
function readOwnViews(text: string): unknown {
  const prompt = text.trim() === '' ? 'A loop has a task.' : text;
  const markdown = renderMarkdown(LOOP, prompt);
  must(readMarkdown(markdown, LOOP, () => prompt).is === 'untouched', 'our markdown is untouched');
  const edited = markdown.replace(/^max_iterations: .*$/m, 'max_iterations: 7');
  const change = readMarkdown(edited, LOOP, () => prompt);
  must(
    change.is === 'edited' && change.iterations === 7 && change.prompt === null,
    'a limit that a person wrote is read, and nothing else has changed',
    change,
  );
  const vault = renderVault(LOOP, { ...VAULT_FACTS, prompt });
  must(readVault(vault, LOOP, vault).is === 'untouched', 'our vault file is untouched');
  const stack = renderStack(LOOP, () => 'prompt.md');
  must(readStack(stack, LOOP, stack).is === 'untouched', 'our stack is untouched', stack);
  const idle = renderIdle(LOOP, prompt);
  must(readIdle(idle, LOOP, idle).is === 'untouched', 'our fallback file is untouched', idle);
  return change;
}

/** A person's notes around our lines stay, and our lines are found again. */
function readOwnProgress(before: string): unknown {
  const first = renderProgress(LOOP, before);
  const change = readProgress(first, LOOP, first);
  must(change.is !== 'edited', 'our progress file is no edit', change);
  must(renderProgress(LOOP, first) === first, 'a second rendering changes nothing', first);
  return change;
}

/** The rule of one pattern without braces, in other words. */
function reference(pattern: string): RegExp {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  const source = names.map((name) =>
    name === '**'
      ? '(?:[^/]+/)*'
      : `${name
          .replace(/[$()+.[\\\]^{|}]/g, '\\$&')
          .replace(/\*+/g, '[^/]*')
          .replace(/\?/g, '[^/]')}/`,
  );
  return new RegExp(`^${source.join('')}(?:[^/]+/)*$`, 's');
}

const PATHS = ['tests/deep/a.test.ts', 'a', 'src/a.ts', 'b/x/c.md', 'tests', '.github/x.yml'];

function readGlobs(text: string): unknown {
  const matches = globs([text]);
  const isSimple = /^[\w*?/.-]+$/.test(text) && text.length < 60 && !text.includes('..');
  return PATHS.map((path) => {
    const does = matches(path);
    if (isSimple)
      must(does === reference(text).test(`${path}/`), 'a pattern means what it says', { text, path, does });
    return does;
  });
}

/** Names as git gives them are read back, whatever bytes they have. */
function readGit(text: string): unknown {
  const name = text.replaceAll('\0', '').replace(/^\/+/, '') || 'x';
  const oid = '0'.repeat(40);
  must(dirtyIn(`? ${name}\0`).includes(name), 'an untracked name is read back', name);
  must(dirtyIn(`1 .M N... 100644 100644 100644 ${oid} ${oid} ${name}\0`)[0] === name, 'a changed name', name);
  must(readTracked(`H 100644 ${oid} 0\t${name}\0`)[0]?.path === name, 'a tracked name', name);
  must(parseDifferences(`:100644 100644 ${oid} ${oid} M\0${name}\0`)[0]?.path === name, 'a difference', name);
  return [readStatus(text), readTracked(text), parseDifferences(text)];
}

function readLists(text: string): unknown {
  const list = readItemList(text, 'todo.md', 'file');
  if (list.ok) {
    const ids = list.items.map(({ id }) => id);
    must(new Set(ids).size === ids.length, 'no two items have one id', ids);
    must(keepsWaiting(text, text, [], 'todo.md'), 'a list keeps what waits in it', text);
  }
  return [list, readItemList(text, '', 'command'), readChecklist(text), keepsWaiting(text, text, [])];
}

function readFeatureList(text: string): unknown {
  const read = readFeatures(text, 'feature_list.json');
  if ('features' in read) must(read.features.length > 0, 'a list without features proves nothing', read);
  return read;
}

export const PROJECT: readonly Target[] = [
  {
    name: 'front matter',
    samples: ['---\niteration: 3\nsession_id: "x"\n---\nThe task.\n', '---\nhooks:\n  a: b\nmodel: x\n---\n'],
    words: ['iteration:', 'max_iterations:', 'completion_promise:', 'session_id:'],
    read: (text) => [parseFrontMatter(text), readHandWritten(text), frontMatterKeys(text)],
  },
  {
    name: 'markdown view',
    samples: [renderMarkdown(LOOP, 'The task.')],
    words: ['iteration:', 'max_iterations:', 'dacapo_', 'active:'],
    read: (text) => readMarkdown(text, LOOP, () => 'The task.'),
  },
  {
    name: 'our own views',
    samples: ['The task.', '---\niteration: 1\n---\nA task with a head.\n', 'Two\n\nparts\n\n'],
    words: ['---\n', 'digest: "', 'max_iterations: 3\n', 'loop_id:'],
    read: readOwnViews,
  },
  {
    name: 'progress view',
    samples: [renderProgress(LOOP, null), '# Progress\n\nSTATUS: RUNNING\n[x] done\n'],
    words: ['STATUS:', 'ITERATION:', 'RUNNING', 'Max Iterations: 7\n', 'Status: x\n'],
    read: (text) => [readProgress(text, LOOP, null), readProgressLines(text), readOwnProgress(text)],
  },
  {
    name: 'vault view',
    samples: [
      '---\nid: RALPH_1\nstatus: running\niteration: 1\nmax_iterations: 10\n---\n\n# Task\n\nDo it.\n',
      renderVault(LOOP, { ...VAULT_FACTS, prompt: 'Do it.' }),
    ],
    words: ['status:', 'iteration:', 'task:', '## ', '"status": "stopped"', '"loop_id":'],
    read: (text) => [readVaultFile(text), readVault(text, LOOP, null)],
  },
  {
    name: 'stack and idle files',
    samples: [
      '{"version":1,"stack":[{"id":"a","prompt_file":"p.md","iteration":1,"max":10,"mode":"loop"}],"updated_at":"2026-01-01T00:00:00Z"}',
      renderStack(LOOP, () => 'p.md'),
      renderIdle(LOOP, 'Do it.'),
    ],
    words: [...JSON_WORDS, '"stack":', '"mode":"grind"'],
    read: (text) => [
      readStackState(text),
      readStack(text, LOOP, null),
      readIdleState(text),
      readIdle(text, LOOP, null),
    ],
  },
  {
    name: 'feature list',
    samples: [
      '[{"description":"a","passes":false,"steps":["b"]}]',
      '{"features":[{"id":"1","passes":true}]}',
    ],
    words: [...JSON_WORDS, '"passes":', '"description":', '"steps":'],
    read: readFeatureList,
  },
  {
    name: 'lists of items',
    samples: ['- [ ] one\n- [x] two\n  more\n', '["one",{"id":"2","title":"two"}]', 'one\ntwo\n'],
    words: ['- [ ] ', '- [x] ', '* ', '1. ', '  ', '"id":'],
    read: readLists,
  },
  {
    name: 'globs',
    samples: ['tests/**/*.ts', '{a,b}/?/[c].md', '!src/**', '**/*.md', 'tests/'],
    words: ['**/', '{a,b}', ',', '!', '*', '?', '/'],
    read: readGlobs,
  },
  {
    name: 'what git says',
    samples: [
      '1 .M N... 100644 100644 100644 aaaa bbbb a b.txt\0? new\0u UU N... 1 2 3 4 a b c both\0',
      'H 100644 aaaa 0\ta.txt\0? new/\0',
      ':100644 000000 aaaa bbbb D\0gone.txt\0',
    ],
    words: ['\0', '? ', '1 ', 'u ', ':', '\t', 'H ', '000000'],
    read: readGit,
  },
];

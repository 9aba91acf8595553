/**
 * Everything that reads what others wrote, with samples of what it expects. None of them may throw, or take
 * long.
 */
import { readEvent, type Event } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import { globs } from '#base/globs.ts';
import { outermostOf, type Loop } from '#law/loop.ts';
import { endsOf, fenced, oneLine, tailOf } from '#base/words/sanitize.ts';
import { parseStart } from '#input/arguments.ts';
import * as values from '#input/values.ts';
import { actsOf } from '#evidence/guard/shell-acts.ts';
import { readPayload } from '#hosts/claude-code/hook/host.ts';
import { claudeCodeHeadless } from '#hosts/claude-code/headless/command.ts';
import { readChecklist } from '#evidence/lists/checklist.ts';
import { readFeatures } from '#evidence/lists/features.ts';
import { keepsWaiting, readItemList } from '#evidence/lists/items.ts';
import { evaluatePromises } from '#engine/agent/promises.ts';
import { readRules } from '#input/config/validation-rules.ts';
import { findTags, hearSaid } from '#evidence/proofs/promise/said.ts';
import { forScreen, labelForScreen, lineForScreen, toAscii } from '#surfaces/screen/terminal/clean-text.ts';
import { clip, widthOf, wrap } from '#surfaces/screen/terminal/width.ts';
import { fromSpec } from '#surfaces/stop-hooks/from-spec.ts';
import { readConfig } from '#surfaces/stop-hooks/config/read-config.ts';
import { HookSpecError } from '#surfaces/stop-hooks/spec.ts';
import { sayEvent } from '#telling/event.ts';
import { failingPart } from '#telling/failing.ts';
import { sayStatus } from '#telling/person/status.ts';
import {
  readHandWritten,
  readMarkdown,
  renderMarkdown,
  parseFrontMatter,
} from '#evidence/views/markdown/format.ts';
import { readProgress, readProgressLines, renderProgress } from '#evidence/views/progress/format.ts';
import { readIdleState, readStack, readStackState } from '#evidence/views/stack/format.ts';
import { readVault, readVaultFile } from '#evidence/views/vault/format.ts';
import { inLine, printable } from '#surfaces/cli/terminal/terminal.ts';
import { bound, claim, created, PROMISE, running, verdict } from '../law/given.ts';

export interface Target {
  readonly name: string;
  readonly samples: readonly [string, ...string[]];
  readonly words: readonly string[];
  readonly read: (text: string) => unknown;
}

const LOOP = running({ gates: [PROMISE] });
const FRAME = outermostOf(LOOP);
const FLAGS = [
  '--check',
  '--max-iterations',
  '--completion-promise',
  '--protect',
  '--timeout',
  '--view',
  '--items',
  '--',
];
const NOW = '2026-11-16T08:00:00.000Z';
const JSON_WORDS = ['"type":', '"at":', '[]', '{}', '""', '1e400'];
const lines = (...given: readonly object[]): string => given.map((one) => JSON.stringify(one)).join('\n');

export const TARGETS: readonly Target[] = [
  {
    name: 'start grammar',
    samples: [
      'Fix it --check "npm test" --max-iterations 20',
      `'a b' --completion-promise "ALL DONE" -- --model x`,
    ],
    words: FLAGS,
    read: parseStart,
  },
  {
    name: 'flag values',
    samples: ['20', '1h30m', '$5.00', '2M', 'tests/**', 'markdown,vault', 'ALL DONE'],
    words: ['h', 'm', 's', 'k', 'M', '$', ',', 'unlimited', 'off', 'none'],
    read: (text) => READERS.map((read) => read(text)),
  },
  {
    name: 'front matter',
    samples: ['---\niteration: 3\nsession_id: "x"\n---\nThe task.\n'],
    words: ['iteration:', 'max_iterations:', 'completion_promise:', 'session_id:'],
    read: (text) => [parseFrontMatter(text), readHandWritten(text)],
  },
  {
    name: 'markdown view',
    samples: [renderMarkdown(LOOP, 'The task.')],
    words: ['iteration:', 'max_iterations:', 'dacapo_', 'active:'],
    read: (text) => readMarkdown(text, LOOP, () => 'The task.'),
  },
  {
    name: 'progress view',
    samples: [renderProgress(LOOP, null), '# Progress\n\nSTATUS: RUNNING\n[x] done\n'],
    words: ['STATUS:', 'ITERATION:', 'RUNNING'],
    read: (text) => [readProgress(text, LOOP, null), readProgressLines(text), renderProgress(LOOP, text)],
  },
  {
    name: 'vault view',
    samples: [
      '---\nid: RALPH_1\nstatus: running\niteration: 1\nmax_iterations: 10\n---\n\n# Task\n\nDo it.\n',
    ],
    words: ['status:', 'iteration:', 'task:', '## '],
    read: (text) => [readVaultFile(text), readVault(text, LOOP, null)],
  },
  {
    name: 'stack and idle files',
    samples: [
      '{"version":1,"stack":[{"id":"a","prompt_file":"p.md","iteration":1,"max":10,"mode":"loop"}],"updated_at":"2026-01-01T00:00:00Z"}',
    ],
    words: [...JSON_WORDS, '"stack":', '"mode":"grind"'],
    read: (text) => [readStackState(text), readStack(text, LOOP, null), readIdleState(text)],
  },
  {
    name: 'feature list',
    samples: [
      '[{"description":"a","passes":false,"steps":["b"]}]',
      '{"features":[{"id":"1","passes":true}]}',
    ],
    words: [...JSON_WORDS, '"passes":', '"description":', '"steps":'],
    read: (text) => readFeatures(text, 'feature_list.json'),
  },
  {
    name: 'lists of items',
    samples: ['- [ ] one\n- [x] two\n  more\n', '["one",{"id":"2","title":"two"}]', 'one\ntwo\n'],
    words: ['- [ ] ', '- [x] ', '* ', '1. ', '  ', '"id":'],
    read: (text) => [
      readItemList(text, 'todo.md', 'file'),
      readChecklist(text),
      keepsWaiting(text, text, []),
    ],
  },
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
    read: (text) => [findTags(text, ['promise', 'loop-done']), hearSaid(text, FRAME)],
  },
  {
    name: 'shell lines',
    samples: [
      'cd a && rm -rf "b c" > out 2>&1',
      'cat <<EOF | tee x\nhi $(ls `pwd`)\nEOF',
      `for f in a b; do sed -i s/a/b/ $f; done`,
    ],
    words: ['rm ', 'cp ', '$((', "$'", 'cd ', 'git ', 'checkout', 'env ', 'sudo ', 'EOF', 'A=$A$A;'],
    read: (text) => actsOf(text, '/home/me'),
  },
  {
    name: 'globs',
    samples: ['tests/**/*.ts', '{a,b}/?/[c].md', '!src/**'],
    words: ['**/', '{a,b}', ',', '!'],
    read: (text) => globs([text])('tests/deep/a.test.ts'),
  },
  {
    name: 'payloads',
    samples: [
      lines({
        hook_event_name: 'Stop',
        session_id: 's',
        cwd: '/p',
        prompt_id: 'p',
        last_assistant_message: 'x',
        background_tasks: [],
      }),
      lines({
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: '/p',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
      }),
      lines({
        hook_event_name: 'UserPromptExpansion',
        session_id: 's',
        cwd: '/p',
        command_name: 'ralph',
        command_args: 'x',
      }),
    ],
    words: [...JSON_WORDS, '"hook_event_name":"SessionEnd",', '"session_id":', '"tool_input":'],
    read: (text) => {
      const arrival = readPayload(parsed(text), { CLAUDE_PROJECT_DIR: '/p', CLAUDE_PID: '1' });
      return arrival?.is === 'tool' ? arrival.acts() : arrival;
    },
  },
  {
    name: 'lines of a stream',
    samples: [
      '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":1}}}',
      '{"type":"result","subtype":"success","total_cost_usd":0.1,"num_turns":1}',
    ],
    words: [...JSON_WORDS, '"content":', '"usage":', '"error":'],
    read: (line) => claudeCodeHeadless.openStream().read(line),
  },
  {
    name: 'journal, fold and words',
    samples: [
      lines(created(), bound(), claim(1), verdict(1)),
      lines(created({ gates: [PROMISE] }), claim(1)),
    ],
    words: [...JSON_WORDS, '"type":"cancelled",', '"type":"resumed",', '"n":', '"by":"terminal"'],
    read: foldAll,
  },
  {
    name: 'validation rules',
    samples: [
      '[{"name":"a","type":"command","command":"npm test"},{"name":"b","type":"file_exists","path":"x"}]',
      '[{"name":"a","type":"pattern","pattern":"a+","flags":"i","file":"a","expect":"absent"}]',
    ],
    words: [...JSON_WORDS, '"name":', 'command', 'file-exists', 'constructor', '__proto__'],
    read: (text) => [readRules(parsed(text)), evaluatePromises(text, parsed(text), NOW)],
  },
  {
    name: 'config and hook specs',
    samples: ['{"checks":{"a":"true"},"hooks":[{"type":"max-files","files":20}],"hookTimeout":"5s"}'],
    words: [...JSON_WORDS, '"hooks":', '"checks":', '"type":"all",', '"hook":'],
    read: (text) => [refusing(() => readConfig(parsed(text))), refusing(() => fromSpec(parsed(text)))],
  },
  {
    name: 'words for screens and models',
    samples: ['FAIL a.test.ts\n  expected 1\n\u001B[31mred\u001B[39m', 'a\tb '.repeat(50)],
    words: ['\u001B]0;', '\u0007', '\t', '\u0301', '`'.repeat(12), 'Error: '],
    read: (text) => [
      [
        forScreen(text),
        lineForScreen(text),
        labelForScreen(text),
        toAscii(text),
        printable(text, true),
        inLine(text),
      ],
      [oneLine(text, 80), tailOf(text, 200), endsOf(text, 200), fenced(text), failingPart(text, 500)],
      [widthOf(text), clip(text, 20, '…'), ...text.split('\n').map((line) => wrap(line, 20))],
    ],
  },
];

const READERS: readonly ((text: string) => unknown)[] = [
  values.readMaxIterations,
  values.readCount,
  values.readMaxStalls,
  values.readMaxItems,
  values.readCost,
  values.readTokens,
  values.readPath,
  values.readGlob,
  values.readViews,
  values.readPromise,
  values.readCheck,
  values.readDuration,
  values.readName,
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What is wrong with a config is told by an error of its own. */
function refusing(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof HookSpecError) return null;
    throw error;
  }
}

function foldAll(text: string): void {
  let loop: Loop | null = null;
  for (const line of text.split('\n')) {
    const read = readEvent(parsed(line));
    if (read.is === 'event') loop = folded(loop, read.event);
  }
  if (loop !== null) sayStatus(loop);
}

function folded(loop: Loop | null, event: Event): Loop | null {
  sayEvent(event);
  return fold(loop, event);
}

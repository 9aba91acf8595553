// V8 reads most functions twice: over them when a file is loaded, and again when they are first called. A function that
// stands in parentheses it compiles at once. So the functions that a common stop calls are put in parentheses.
//
// Which ones these are is seen by letting the bundle hear such a stop: no list that grows old, and no clock in it.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DECLARED = /^(async )?function ([\w$]+)(?=\()/;

/** `files`: the bundles by name. Returns the text of the one named `hook`, made ready for a common stop. */
export function compiledAtOnce(files, hook) {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-build-'));
  try {
    for (const [name, contents] of files) writeFileSync(join(folder, name), contents);
    const code = readFileSync(join(folder, hook), 'utf8');
    return inParentheses(code, coverageOfStop(folder, hook));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inParentheses(code, functions) {
  const spans = functions.map(({ ranges: [{ startOffset: from, endOffset: to, count }] }) => ({
    from,
    to,
    count,
  }));
  const inner = spans.filter(({ from }) => from > 0);
  const declared = inner
    .filter(({ from, to, count }) => count > 0 && DECLARED.test(code.slice(from, to)))
    .filter((one) => !inner.some((other) => other.from < one.from && one.to < other.to))
    .filter(({ from }) => /[;}\n]/.test(code[from - 1]))
    .toSorted((a, b) => a.from - b.from);
  const made = [];
  let rest = '';
  let at = 0;
  for (const { from, to } of declared) {
    const text = code.slice(from, to);
    const [, isAsync = '', name] = DECLARED.exec(text);
    // At the top, as a declaration would be there from the beginning.
    made.push(`${name}=(${text.replace(DECLARED, `${isAsync}function`)})`);
    rest += code.slice(at, from);
    at = to;
  }
  if (made.length === 0) throw new Error('no function of the hook was seen at a common stop');
  return `var ${made.join(',')};${rest}${code.slice(at)}`;
}

/** What V8 saw of the bundle at the third stop of a loop that goes on. */
function coverageOfStop(folder, hook) {
  const project = join(folder, 'project');
  const seen = join(folder, 'coverage');
  const transcript = join(project, 'transcript.jsonl');
  mkdirSync(project);
  writeFileSync(transcript, '{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}\n');
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, SystemRoot, HOME: folder, LOCALAPPDATA: folder, CLAUDE_PID: String(process.pid) };
  const tell = (event, more) => {
    const common = { session_id: 's', transcript_path: transcript, cwd: project, prompt_id: 'p' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, hook)], {
      cwd: project,
      env: { ...env, CLAUDE_PROJECT_DIR: project, ...(more.last ? { NODE_V8_COVERAGE: seen } : {}) },
      input: JSON.stringify({ ...common, hook_event_name: event, ...more }),
      encoding: 'utf8',
    });
    if (status !== 0 || !stdout.includes('additionalContext'))
      throw new Error(`the hook did not hear the ${event} of the build: ${stdout}${stderr}`);
  };
  tell('UserPromptExpansion', { command_name: 'ralph', command_args: '--max-iterations 50 Build it.' });
  for (const [k, words] of ['One.', 'Two.', 'Three.'].entries())
    tell('Stop', { last_assistant_message: words, last: k === 2 });
  const [report] = readdirSync(seen);
  const { result } = JSON.parse(readFileSync(join(seen, report), 'utf8'));
  return result.find(({ url }) => url.endsWith(`/${hook}`)).functions;
}

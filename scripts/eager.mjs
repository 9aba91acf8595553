// V8 parses most functions twice: quickly when it loads the file, and fully at the first call. A function in
// parentheses is compiled at once, so this script puts the functions that a common stop calls in parentheses.
//
// It finds them by running such stops through the bundles: no list can go out of date, and no clock is involved.
// (Arrow functions are never compiled at once. Turning them into functions brought nothing.)

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DECLARED = /^(async )?function ([\w$]+)(?=\()/;

/**
 * `files`: the bundles by name. Returns the text of the bundle `hook`, prepared for a stop without a loop, and of the
 * bundle `stop`, prepared for a stop of a live loop.
 */
export function compiledAtOnce(files, hook, stop) {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-build-'));
  try {
    for (const [name, contents] of files) writeFileSync(join(folder, name), contents);
    const seen = coverageOfStops(folder, hook);
    return [
      [hook, inParentheses(files.get(hook).toString(), functionsIn(hook, seen.without))],
      [stop, inParentheses(files.get(stop).toString(), functionsIn(stop, seen.live))],
    ];
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
    // Placed at the top of the file, because the declaration that it replaces was hoisted.
    made.push(`${name}=(${text.replace(DECLARED, `${isAsync}function`)})`);
    rest += code.slice(at, from);
    at = to;
  }
  if (made.length === 0) throw new Error('no function of the hook was seen at a common stop');
  return `var ${made.join(',')};${rest}${code.slice(at)}`;
}

/** What V8 reports about the third stop of a running loop, and about a stop of a session without one. */
function coverageOfStops(folder, hook) {
  const project = join(folder, 'project');
  const transcript = join(project, 'transcript.jsonl');
  mkdirSync(project);
  writeFileSync(transcript, '{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}\n');
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, SystemRoot, HOME: folder, LOCALAPPDATA: folder, CLAUDE_PID: String(process.pid) };
  const tell = (session, event, more, report = '') => {
    const common = { session_id: session, transcript_path: transcript, cwd: project, prompt_id: 'p' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, hook)], {
      cwd: project,
      env: { ...env, CLAUDE_PROJECT_DIR: project, ...(report ? { NODE_V8_COVERAGE: report } : {}) },
      input: JSON.stringify({ ...common, hook_event_name: event, ...more }),
      encoding: 'utf8',
    });
    if (status !== 0 || stdout.includes('additionalContext') !== (session === 'live'))
      throw new Error(`the hook did not hear the ${event} of the build: ${stdout}${stderr}`);
  };
  const [live, without] = [join(folder, 'live'), join(folder, 'without')];
  tell('other', 'Stop', { last_assistant_message: 'One.' }, without);
  tell('live', 'UserPromptExpansion', {
    command_name: 'ralph',
    command_args: '--max-iterations 50 Build it.',
  });
  for (const [k, words] of ['One.', 'Two.', 'Three.'].entries())
    tell('live', 'Stop', { last_assistant_message: words }, k === 2 ? live : '');
  return { live: reportIn(live), without: reportIn(without) };
}

function reportIn(folder) {
  const [name] = readdirSync(folder);
  return JSON.parse(readFileSync(join(folder, name), 'utf8')).result;
}

function functionsIn(name, report) {
  return report.find(({ url }) => url.endsWith(`/${name}`)).functions;
}

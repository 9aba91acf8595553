// A stand-in for the host, for tests of the command line. It calls the real hook program, as the host would.
//
//   host.mjs claude ARGS…          the program itself: gives its prompt, says $CLAUDE_SAYS (texts with | between), ends
//   host.mjs claude -p ARGS…       one pass without a screen: does $CLAUDE_DOES (a line of shell, with the brief on its stdin; by default some work, if it claims to be done), says $CLAUDE_SAYS, costs $CLAUDE_COSTS, ends
//   host.mjs agent ralph "ARGS"    one event of a session that is open: a slash command,
//   host.mjs agent types "TEXT"    a prompt of a person,
//   host.mjs agent says "TEXT"     the agent stops with these words; it has worked before it claims to be done, unless NO_WORK,
//   host.mjs agent waits "TEXT"    it stops while a subagent still works,
//   host.mjs agent revives "TEXT"  it stops in a chain of prompts that nobody announced,
//   host.mjs agent shell "LINE"    it wants to run a line of shell: says whether it may,
//   host.mjs agent leaves          the session ends
//
// SESSION names the session (default: session-1), HOST_PID its process, HOST_DIR a folder for what it
// remembers.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HOOK = join(import.meta.dirname, '../../../plugin/dist/hook.cjs');
const { HOST_DIR = '/tmp', HOST_PID = String(process.pid), SESSION = 'session-1' } = process.env;
const [, , role, ...words] = process.argv;

if (role === 'claude' && words[0] === '--version') console.log('2.1.325 (Claude Code)');
else if (role === 'claude' && words[0] === 'auth') console.log(JSON.stringify({ loggedIn: true }));
else if (role === 'claude' && words[0] === '-p') pass();
else if (role === 'claude') claude(words);
else act(words[0], words.slice(1).join(' '), SESSION, HOST_PID);

function claude(argv) {
  appendFileSync(
    join(HOST_DIR, 'claude.jsonl'),
    `${JSON.stringify({ argv, cwd: process.cwd(), cap: process.env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP })}\n`,
  );
  const session = valueOf(argv, '--session-id') ?? valueOf(argv, '--resume') ?? SESSION;
  const pid = String(process.pid);
  if (process.env.CLAUDE_CALLS_NO_HOOK) process.exit(0);
  if (argv.includes('--resume')) send({ hook_event_name: 'SessionStart', source: 'resume' }, session, pid);
  act('types', argv.at(-1), session, pid);
  for (const text of (process.env.CLAUDE_SAYS ?? '').split('|')) {
    const { answer } = act('says', text.replaceAll('\\n', '\n'), session, pid);
    if (answer?.hookSpecificOutput?.additionalContext === undefined) break;
  }
  if (process.env.CLAUDE_IS_KILLED) process.kill(process.pid, 'SIGKILL');
  act('leaves', '', session, pid);
  process.exit(Number(process.env.CLAUDE_EXITS ?? 0));
}

function isClaim(text) {
  return /<(?:promise|loop-done|issue-complete|grind-done)>/.test(text);
}

function pass() {
  const { CLAUDE_SAYS = '', CLAUDE_COSTS = '0' } = process.env;
  const { CLAUDE_DOES = isClaim(CLAUDE_SAYS) ? 'echo . >> work.txt' : 'true' } = process.env;
  spawnSync('sh', ['-c', CLAUDE_DOES], { stdio: ['inherit', 'ignore', 'ignore'] });
  const model = {
    session_id: 's',
    model: 'm',
    claude_code_version: '2.1.325',
    permissionMode: 'acceptEdits',
  };
  const content = [{ type: 'text', text: CLAUDE_SAYS }];
  const ended = {
    is_error: false,
    terminal_reason: 'completed',
    num_turns: 1,
    total_cost_usd: Number(CLAUDE_COSTS),
  };
  for (const line of [
    { type: 'system', subtype: 'init', ...model },
    { type: 'assistant', parent_tool_use_id: null, message: { id: 'm', content } },
    { type: 'result', subtype: 'success', ...ended, result: CLAUDE_SAYS },
  ])
    console.log(JSON.stringify(line));
}

function act(what, text, session, pid) {
  switch (what) {
    case 'ralph':
    case 'resume-ralph':
    case 'cancel-ralph':
      return send(
        {
          hook_event_name: 'UserPromptExpansion',
          command_name: what,
          command_args: text,
          prompt_id: nextPrompt(session),
        },
        session,
        pid,
      );
    case 'types':
      return send(
        { hook_event_name: 'UserPromptSubmit', prompt: text, prompt_id: nextPrompt(session) },
        session,
        pid,
      );
    case 'says':
      if (isClaim(text) && !process.env.NO_WORK) appendFileSync('work.txt', text);
      return send(
        { hook_event_name: 'Stop', last_assistant_message: text, prompt_id: prompt(session) },
        session,
        pid,
      );
    case 'waits':
      return send(
        {
          hook_event_name: 'Stop',
          last_assistant_message: text,
          prompt_id: prompt(session),
          background_tasks: [{ id: 'a1', type: 'subagent', status: 'running', description: 'look' }],
        },
        session,
        pid,
      );
    case 'revives':
      return send(
        { hook_event_name: 'Stop', last_assistant_message: text, prompt_id: nextPrompt(session) },
        session,
        pid,
      );
    case 'shell': {
      const use = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: text } };
      const { answer } = send(use, session, pid);
      console.log(answer?.hookSpecificOutput?.permissionDecisionReason ?? 'It may.');
      return { answer };
    }
    case 'leaves':
      return send({ hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' }, session, pid);
    default:
      throw new Error(`no such act: ${what}`);
  }
}

function send(payload, session, pid) {
  const transcript = join(HOST_DIR, `${session}.jsonl`);
  appendFileSync(transcript, '');
  const { stdout, stderr } = spawnSync(process.execPath, [HOOK], {
    encoding: 'utf8',
    input: JSON.stringify({
      session_id: session,
      transcript_path: transcript,
      cwd: process.cwd(),
      ...payload,
    }),
    env: { ...process.env, CLAUDE_PROJECT_DIR: process.cwd(), CLAUDE_PID: pid },
  });
  const answer = stdout === '' ? undefined : JSON.parse(stdout);
  const said = answer?.systemMessage ?? answer?.reason;
  if (said !== undefined) console.log(said);
  if (stderr !== '') console.log(`the hook wrote to stderr: ${stderr}`);
  return { answer };
}

function prompt(session) {
  const file = join(HOST_DIR, `prompt-${session}`);
  return `prompt-${existsSync(file) ? readFileSync(file, 'utf8') : 0}`;
}

function nextPrompt(session) {
  const number = Number(prompt(session).slice('prompt-'.length)) + 1;
  writeFileSync(join(HOST_DIR, `prompt-${session}`), String(number));
  return `prompt-${number}`;
}

function valueOf(argv, flag) {
  const at = argv.indexOf(flag);
  return at === -1 ? undefined : argv[at + 1];
}

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPayload } from '#hosts/claude-code/hook/host.ts';
import { LIMITS, commandNamesIn } from '#hosts/claude-code/names.ts';
import { hostFiles } from '#hosts/claude-code/hook/host-files.ts';
import { CLAUDE_CODE_NAME } from '#hosts/claude-code/names.ts';
import { actsOfCall } from '#hosts/tools/tools.ts';
import type { Arrival, Environment } from '#hosts/port/arrival.ts';
import { temporaryFolder } from '../../../store/folder.ts';

const ENV: Environment = { CLAUDE_PROJECT_DIR: '/project', CLAUDE_PID: '4242' };
const BASE = {
  session_id: 's1',
  cwd: '/project/deep/down',
  prompt_id: 'p1',
  transcript_path: '/nowhere.jsonl',
};

function hear(event: string, fields: object = {}, env: Environment = ENV): Arrival | null {
  return readPayload({ ...BASE, hook_event_name: event, ...fields }, env);
}

function stopWith(fields: object, env = ENV) {
  const arrival = hear('Stop', fields, env);
  if (arrival?.is !== 'stop') throw new Error('no stop');
  return arrival;
}

describe('who speaks', () => {
  it('a session in a process, in the project that the host names', () => {
    expect(stopWith({}).from).toEqual({
      host: 'claude-code',
      limits: LIMITS,
      session: 's1',
      process: 4242,
      project: '/project',
      prompt: 'p1',
      commands: commandNamesIn({}),
    });
  });

  it('the current directory counts only where the host names no project', () => {
    expect(stopWith({ cwd: '/project/other' }).from.project).toBe('/project');
    expect(stopWith({}, { CLAUDE_PID: '1' }).from.project).toBe('/project/deep/down');
  });

  it('commands have the name under which this installation knows them', () => {
    expect(stopWith({}, { ...ENV, CLAUDE_PLUGIN_ROOT: '/plugins/dacapo' }).from.commands).toEqual({
      resume: '/dacapo:resume-ralph',
      cancel: '/dacapo:cancel-ralph',
      approve: '/dacapo:approve-ralph',
      reject: '/dacapo:reject-ralph',
      answer: '/dacapo:answer-ralph',
    });
  });

  it('without a prompt id or a process it is not known', () => {
    const { prompt, process } = stopWith(
      { prompt_id: undefined },
      { CLAUDE_PROJECT_DIR: '/p', CLAUDE_PID: 'x' },
    ).from;
    expect({ prompt, process }).toEqual({ prompt: null, process: null });
  });
});

describe('nothing that concerns a loop', () => {
  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['null', null],
    ['a list', []],
    ['no session', { ...BASE, session_id: '', hook_event_name: 'Stop' }],
    ['a session that is not text', { ...BASE, session_id: 7, hook_event_name: 'Stop' }],
    ['an event we do not know', { ...BASE, hook_event_name: 'PostToolUse' }],
    ['no event', BASE],
    ['a session that begins anew', { ...BASE, hook_event_name: 'SessionStart', source: 'startup' }],
    ['a fork', { ...BASE, hook_event_name: 'SessionStart', source: 'fork' }],
    ["a subagent's stop", { ...BASE, hook_event_name: 'SubagentStop', agent_id: 'a1' }],
    ["a subagent's Stop", { ...BASE, hook_event_name: 'Stop', agent_id: 'a1' }],
    ["a subagent's prompt", { ...BASE, hook_event_name: 'UserPromptSubmit', agent_id: 'a1', prompt: 'x' }],
    [
      "another plugin's command",
      { ...BASE, hook_event_name: 'UserPromptExpansion', command_name: 'other:ralph' },
    ],
    ['another command', { ...BASE, hook_event_name: 'UserPromptExpansion', command_name: 'commit' }],
  ])('%s', (_name, payload) => {
    expect(readPayload(payload, ENV)).toBeNull();
  });
});

describe('a stop', () => {
  it('carries the last message itself', () => {
    expect(stopWith({ last_assistant_message: 'Done.' }).message).toBe('Done.');
    expect(stopWith({}).message).toBe('');
  });

  it('whether a hook continued the turn is read, and decides nothing', () => {
    expect(stopWith({ stop_hook_active: true }).continuedByHook).toBe(true);
    expect(stopWith({ stop_hook_active: 'yes' }).continuedByHook).toBe(false);
  });

  it('background work: agents, workflows and shells that still run', () => {
    const tasks = [
      { id: 'a', type: 'subagent', status: 'running', description: 'review' },
      { id: 'b', type: 'workflow', status: 'pending', description: 'flow' },
      { id: 'c', type: 'shell', status: 'running', command: 'npm run dev', description: 'server' },
      { id: 'd', type: 'subagent', status: 'completed' },
      { id: 'e', type: 'shell', status: 'killed' },
      { id: 'f', type: 'shell', status: 'failed' },
      { id: 'g', type: 'something-new', status: 'running' },
      'nonsense',
      null,
    ];
    expect(stopWith({ background_tasks: tasks }).background).toEqual([
      { id: 'a', kind: 'agent', description: 'review' },
      { id: 'b', kind: 'agent', description: 'flow' },
      { id: 'c', kind: 'shell', description: 'npm run dev' },
    ]);
    expect(stopWith({ background_tasks: 'none' }).background).toEqual([]);
  });

  it('a wake-up that the session has set itself is waited for like background work, where somebody is there', () => {
    const session_crons = [
      { id: 'w', schedule: '12 9 * * *', recurring: false, prompt: 'look at the build' },
      { id: 'o', schedule: '12 9 3 5 *', recurring: false, prompt: 'look once' },
      { id: 'r', schedule: '*/5 * * * *', recurring: true, prompt: 'look at CI' },
      null,
    ];
    expect(stopWith({ session_crons }).background).toEqual([
      { id: 'w', kind: 'agent', description: 'look at the build' },
      { id: 'o', kind: 'agent', description: 'look once', due: expect.stringMatching(/T\d\d:12:00/) },
      { id: 'r', kind: 'shell', description: 'look at CI' },
    ]);
    expect(stopWith({ session_crons }, { ...ENV, CLAUDE_CODE_SESSION_ATTENDED: '0' }).background).toEqual([]);
    expect(stopWith({ session_crons: 'none' }).background).toEqual([]);
  });

  it.each([
    [undefined, 8],
    ['20', 20],
    ['0', null],
    ['-1', null],
    ['many', 8],
    ['', 8],
  ])('the cap of %j is %j', (set, cap) => {
    expect(stopWith({}, { ...ENV, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: set }).cap).toBe(cap);
  });

  it('is attended unless the host says that nobody is there', () => {
    expect(stopWith({}).attended).toBe(true);
    expect(stopWith({}, { ...ENV, CLAUDE_CODE_SESSION_ATTENDED: '0' }).attended).toBe(false);
  });
});

describe('a prompt', () => {
  const person = (prompt: string) => {
    const arrival = hear('UserPromptSubmit', { prompt });
    return arrival?.is === 'prompt' ? arrival.person : arrival;
  };

  it.each(['Fix it.', 'What about <task-notification>?', '/compact', '<div> is wrong', ''])(
    "%j is a person's",
    (text) => {
      expect(person(text)).toBe(true);
    },
  );

  it.each([
    '<task-notification>\n<task-id>b1</task-id>',
    '  <system-reminder>x</system-reminder>',
    '<local-command-stdout>x</local-command-stdout>',
    '<command-name>/clear</command-name>',
  ])('%j is a notice of the host', (text) => {
    expect(person(text)).toBe(false);
  });

  it.each([
    '/ralph Fix it.',
    '/dacapo:ralph Fix',
    '/cancel-ralph',
    ' /dacapo:resume-ralph\n',
    '/ralph-status',
    '/approve-ralph ask-a-1',
    '/dacapo:answer-ralph Blue.',
  ])('%j is heard when it is expanded, not here', (text) => {
    expect(person(text)).toBeNull();
  });

  it('/ralphie is not a command of ours', () => {
    expect(person('/ralphie x')).toBe(true);
  });
});

describe('a command', () => {
  const command = (fields: object, env = ENV) => {
    const arrival = hear('UserPromptExpansion', fields, env);
    return arrival?.is === 'command' ? arrival : null;
  };

  it.each([
    ['ralph', 'start'],
    ['dacapo:ralph', 'start'],
    ['cancel-ralph', 'cancel'],
    ['dacapo:cancel-ralph', 'cancel'],
    ['resume-ralph', 'resume'],
    ['ralph-status', 'status'],
    ['dacapo:approve-ralph', 'approve'],
    ['reject-ralph', 'reject'],
    ['answer-ralph', 'answer'],
  ])('%s is %s', (name, wanted) => {
    expect(command({ command_name: name })?.command).toBe(wanted);
  });

  describe('that answers a loop', () => {
    const isAnyones = (name: string, command_source: string, env = ENV) =>
      command({ command_name: name, command_source }, env)?.isAnyones ?? false;

    it("of the plugin is a person's: the host gives it to no agent", () => {
      expect(isAnyones('dacapo:approve-ralph', 'plugin')).toBe(false);
      expect(isAnyones('approve-ralph', 'plugin')).toBe(true);
    });

    it("of a project or a user is a person's while its file keeps it from agents", () => {
      const project = temporaryFolder();
      const env = { ...ENV, CLAUDE_PROJECT_DIR: project, CLAUDE_CONFIG_DIR: join(project, 'user') };
      const file = join(project, '.claude/commands/approve-ralph.md');
      mkdirSync(dirname(file), { recursive: true });
      expect(isAnyones('approve-ralph', 'projectSettings', env)).toBe(true);
      copyFileSync(new URL('../../../../plugin/commands/approve-ralph.md', import.meta.url), file);
      expect(isAnyones('approve-ralph', 'projectSettings', env)).toBe(false);
      expect(isAnyones('approve-ralph', 'userSettings', env)).toBe(true);
      // A command of another folder that is called like the plugin's.
      expect(isAnyones('dacapo:approve-ralph', 'projectSettings', env)).toBe(true);
      expect(isAnyones('approve-ralph', '', env)).toBe(true);
      writeFileSync(file, 'Approve it.');
      expect(isAnyones('approve-ralph', 'projectSettings', env)).toBe(true);
    });

    it('is in files that the guard keeps from the agent', () => {
      const ground = hostFiles('/project', '', { HOME: '/home/ann' });
      expect(ground).toContain('/project/.claude/commands/approve-ralph.md');
      expect(ground).toContain('/home/ann/.claude/skills/answer-ralph');
    });
  });

  it('its arguments are verbatim', () => {
    const args = `Don't "quote" (me) $HOME \`x\`\nnew line --max-iterations=3 *`;
    expect(command({ command_name: 'ralph', command_args: args })?.args).toBe(args);
  });

  it.each([
    ['plan', /plan mode/],
    ['default', /asks you before edits/],
    ['dontAsk', /denies/],
    ['acceptEdits', /^$/],
    ['bypassPermissions', /^$/],
    [undefined, /^$/],
  ])('in permission mode %s says what holds up a loop: %s', (permission_mode, words) => {
    expect(command({ command_name: 'ralph', permission_mode })?.hindrance ?? '').toMatch(words);
  });

  it("lifts the host's cap only where the person asked for it", async () => {
    expect(command({ command_name: 'ralph' })?.liftCap).toBeNull();
    const project = temporaryFolder();
    const env = { ...ENV, CLAUDE_PROJECT_DIR: project, CLAUDE_PLUGIN_OPTION_LIFT_CAP: 'true' };
    expect(command({ command_name: 'ralph' }, env)?.liftCap?.(temporaryFolder())).toBe(true);
    const prompt = readPayload({ ...BASE, hook_event_name: 'UserPromptSubmit', prompt: 'x' }, env);
    expect(prompt?.is === 'prompt' && prompt.setup?.().liftCap?.(temporaryFolder())).toBe(true);
    const settings = readFileSync(join(project, '.claude', 'settings.local.json'), 'utf8');
    expect(JSON.parse(settings)).toMatchObject({ env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' } });
  });
});

describe('a tool that is about to be used', () => {
  const use = { tool_name: 'Write', tool_input: { file_path: '/project/a', content: 'x' } };
  const written = (what: object) => ({
    is: 'write',
    path: 'a',
    content: null,
    edits: [],
    cwd: '/p',
    ...what,
  });

  const unknown = (tool: string, texts: string[]) => ({
    is: 'unknown',
    tool,
    isActing: true,
    texts,
    cwd: '/p',
  });

  it("is heard, also a subagent's", () => {
    for (const more of [{}, { agent_id: 'a1' }]) {
      const arrival = hear('PreToolUse', { ...use, ...more });
      expect(arrival?.is === 'tool' && arrival.acts()).toEqual(
        actsOfCall({ ...BASE, ...use }, CLAUDE_CODE_NAME, { CLAUDE_PROJECT_DIR: '/project' }),
      );
    }
  });

  it.each([
    ['Write', { file_path: 'a', content: 'x' }, written({ content: 'x' })],
    [
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: 'y' },
      written({ edits: [{ from: 'x', to: 'y', all: false }] }),
    ],
    [
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: '', replace_all: true },
      written({ edits: [{ from: 'x', to: '', all: true }] }),
    ],
    [
      'MultiEdit',
      { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }, { new_string: 'z' }] },
      written({ edits: [{ from: 'x', to: 'y', all: false }] }),
    ],
    ['MultiEdit', { file_path: 'a' }, written({})],
    ['NotebookEdit', { notebook_path: 'a' }, written({})],
    [
      'Bash',
      { command: 'rm a' },
      { is: 'shell', line: 'rm a', cwd: '/p', env: { CLAUDE_PROJECT_DIR: '/q' } },
    ],
    ['Read', { file_path: 'a' }, null],
    ['Write', { file_path: 7 }, unknown('Write', ['file_path'])],
    ['Bash', 'rm a', unknown('Bash', ['rm a'])],
    ['MultiEdit', { file_path: 'a', edits: [7] }, unknown('MultiEdit', ['file_path', 'a', 'edits'])],
    ['Write', { file_path: 'a', path: 'b' }, unknown('Write', ['file_path', 'a', 'path', 'b'])],
  ])('%s %j', (tool_name, tool_input, act) =>
    expect(
      actsOfCall({ tool_name, tool_input, cwd: '/p' }, CLAUDE_CODE_NAME, { CLAUDE_PROJECT_DIR: '/q' }),
    ).toEqual(act === null ? [] : [act]),
  );
});

describe('a session and its faults', () => {
  it.each(['resume', 'clear', 'compact'])('SessionStart(%s)', (source) => {
    expect(hear('SessionStart', { source })).toMatchObject({ is: 'session-start', source });
  });

  it('SessionEnd with its reason', () => {
    expect(hear('SessionEnd', { reason: 'clear' })).toMatchObject({ is: 'session-end', reason: 'clear' });
  });

  it('StopFailure with its class', () => {
    expect(hear('StopFailure', { error: 'rate_limit', error_details: '429' })).toMatchObject({
      is: 'fault',
      error: 'rate_limit',
      detail: '429',
    });
    expect(hear('StopFailure')).toMatchObject({ is: 'fault', error: 'unknown', detail: '', fatal: null });
  });

  it('StopFailure that no retry can fix, with the words of the service', () => {
    const said = { error: 'billing_error', last_assistant_message: 'Credit balance is too low' };
    expect(hear('StopFailure', said)).toMatchObject({
      detail: 'Credit balance is too low',
      fatal: 'billing',
    });
    for (const error of ['server_error', 'overloaded', 'invalid_request', 'max_output_tokens'])
      expect(hear('StopFailure', { error })).toMatchObject({ error, fatal: null });
  });
});

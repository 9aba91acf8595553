/**
 * Every tool of every host, by the name that our hook gets (some hosts give a hook other names than the
 * model). Recorded from the requests of the versions that `scripts/test/hosts.mjs` installs;
 * `test/e2e/hosts/tools` compares.
 */
import { acpCommand } from '#base/words/acp-host.ts';
import { shell, toolTable, typedInto, writer, type ToolTable } from './tool-fields.ts';

const STRINGS = { path: 'file_path', from: 'old_string', to: 'new_string', all: 'replace_all' };
const NOTEBOOK = writer({ path: 'notebook_path', to: 'new_source', manner: 'cell_id cell_type edit_mode' });

/** `LS`, `TodoWrite` and others are of older versions, and of hosts that speak by exit codes. */
const CLAUDE_CODE = toolTable(
  {
    Bash: shell({
      command: 'command',
      label: 'description timeout',
      manner: 'run_in_background dangerouslyDisableSandbox',
    }),
    Monitor: shell({ command: 'command', label: 'description timeout_ms', manner: 'ws' }),
    Write: writer({ path: 'file_path', content: 'content' }),
    Edit: writer(STRINGS),
    MultiEdit: writer({ path: 'file_path', edits: 'edits' }),
    NotebookEdit: NOTEBOOK,
  },
  `Agent Task ListAgents Read NotebookRead ReportFindings ScheduleWakeup Skill SlashCommand ToolSearch
  Workflow DeferredToolPlaceholder CronCreate CronDelete CronList EnterWorktree ExitWorktree SendMessage
  TaskStop TaskOutput TaskCreate TaskUpdate TaskList TaskGet BashOutput KillShell WebFetch WebSearch LS Glob
  Grep TodoWrite AskUserQuestion EnterPlanMode ExitPlanMode`,
);

/**
 * Of a command it tells a hook the line, and the folder as where the agent is. `write_stdin` it tells to
 * nobody.
 */
const CODEX = toolTable(
  {
    Bash: typedInto(shell({ command: 'command' })),
    apply_patch: writer({ patch: 'command' }),
  },
  `view_image request_user_input close_agent resume_agent send_input spawn_agent wait_agent get_goal
  create_goal update_goal web_search update_plan`,
);

const COPILOT = toolTable(
  {
    Bash: shell({
      command: 'command',
      label: 'description initial_wait',
      manner: 'mode detach shellId',
    }),
    Write: writer({ path: 'path', content: 'file_text' }),
    // An edit may also be a patch of several files, which its adapter calls a command.
    Edit: writer({ path: 'path', from: 'old_str', to: 'new_str', patch: 'command' }),
  },
  `Read read_bash stop_bash list_bash fetch_copilot_cli_documentation skill sql session_store_sql read_agent
  list_agents write_agent Grep Glob grep glob view task Task Skill report_intent update_todo ask_user
  web_fetch`,
  /^[^-]+-/,
  'server-tool',
);

const DROID = toolTable(
  {
    Execute: shell({
      command: 'command',
      label: 'summary timeout riskLevel riskLevelReason',
      manner: 'fireAndForget',
    }),
    Create: writer({ path: 'file_path', content: 'content' }),
    Edit: writer({ path: 'file_path', from: 'old_str', to: 'new_str', all: 'change_all' }),
    ApplyPatch: writer({ patch: 'input' }),
  },
  'Read LS Grep Glob TaskOutput TaskStop ToolSearch Skill Task Loop TodoWrite WebSearch FetchUrl ' +
    'ExitSpecMode AskUser',
  /___/,
  'server___tool',
);

const QWEN = toolTable(
  {
    run_shell_command: shell({
      command: 'command',
      folder: 'directory',
      label: 'description timeout',
      manner: 'is_background',
    }),
    monitor: shell({
      command: 'command',
      folder: 'directory',
      label: 'description max_events idle_timeout_ms',
    }),
    write_file: writer({ path: 'file_path', content: 'content', manner: 'record_as_artifact' }),
    edit: writer(STRINGS),
    notebook_edit: NOTEBOOK,
  },
  `agent get_goal update_goal glob grep_search list_agents list_directory read_file skill tool_call
  tool_search cron_create cron_delete cron_list enter_worktree exit_worktree loop_wakeup read_mcp_resource
  record_artifact report_findings send_message task_stop web_fetch zoom_image todo_write ask_user_question
  exit_plan_mode`,
);

const GEMINI = toolTable(
  {
    run_shell_command: shell({
      command: 'command',
      folder: 'dir_path',
      label: 'description delay_ms',
      manner: 'is_background',
    }),
    write_file: writer({ path: 'file_path', content: 'content' }),
    replace: writer({
      path: 'file_path',
      from: 'old_string',
      to: 'new_string',
      all: 'allow_multiple',
      label: 'instruction',
    }),
  },
  `update_topic list_directory read_file read_many_files grep_search glob web_fetch
  list_background_processes read_background_output google_web_search write_todos enter_plan_mode
  exit_plan_mode invoke_agent activate_skill ask_user complete_task get_internal_docs list_mcp_resources
  read_mcp_resource take_snapshot tracker_create_task tracker_update_task tracker_get_task
  tracker_list_tasks tracker_add_dependency tracker_visualize`,
  /^mcp_/,
  'mcp_server_tool',
);

/** A tool of a server begins with the server's name. Of its own tools, few have such a name. */
const OPENCODE = toolTable(
  {
    bash: shell({ command: 'command', folder: 'workdir', label: 'description timeout' }),
    write: writer({ path: 'filePath', content: 'content' }),
    edit: writer({ path: 'filePath', from: 'oldString', to: 'newString', all: 'replaceAll' }),
    apply_patch: writer({ patch: 'patchText' }),
  },
  `glob grep read list skill task todowrite todoread webfetch websearch codesearch question lsp invalid
  plan_enter plan_exit`,
  /^[^_]+_/,
  'server_tool',
);

/** It knows no servers. */
const PI = toolTable(
  {
    bash: shell({ command: 'command', label: 'timeout' }),
    write: writer({ path: 'path', content: 'content' }),
    edit: writer({ path: 'path', edits: 'edits', from: 'oldText', to: 'newText' }),
  },
  'read grep find ls',
);

/** The protocol `json` (docs/hosts.md). A plugin translates the tools of its host into these. */
const JSON_TOOLS = toolTable(
  {
    shell: shell({ command: 'command', folder: 'folder', label: 'description timeout' }),
    write: writer({ path: 'path', content: 'content' }),
    edit: writer({
      path: 'path',
      content: 'content',
      from: 'old_string',
      to: 'new_string',
      all: 'replace_all',
    }),
  },
  'read',
);

const TABLES: Readonly<Record<string, ToolTable>> = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  copilot: COPILOT,
  droid: DROID,
  qwen: QWEN,
  gemini: GEMINI,
  opencode: OPENCODE,
  pi: PI,
  json: JSON_TOOLS,
};

/**
 * `host`: its name in a loop's record. Hosts that speak by exit codes use the names of Claude Code, and
 * agents by ACP, whose calls our program translates, those of the protocol `json`.
 */
export function tableOf(host: string): ToolTable {
  const own = Object.hasOwn(TABLES, host) ? TABLES[host] : undefined;
  return own ?? (acpCommand(host) === null ? CLAUDE_CODE : JSON_TOOLS);
}

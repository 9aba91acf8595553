/** The real Claude Code as the agent: headless, with our plugin, against the scripted model, without an account. */
import { spawn } from 'node:child_process';
import { isRecord } from '../core/shape.ts';
import { endGently } from '../process/group.ts';
import { cutLines } from '../process/lines.ts';
import type { Tell } from './happening.ts';
import type { Stage } from './stage.ts';

export interface Play {
  readonly stage: Stage;
  readonly plugin: string;
  readonly model: string;
  readonly request: string;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Called after each answer of the hook: the journal has news. */
  readonly answered: () => void;
}

/** Between asking the host to end and making it. */
const GRACE_MS = 2_000;

/** Resolves when the host has ended, however that came. What became of the loop is in the journal. */
export function playClaude(program: string, play: Play): Promise<void> {
  const command = `/dacapo:ralph ${play.request}`;
  play.tell({ is: 'typed', text: command });
  const args = ['--permission-mode', 'acceptEdits', '--plugin-dir', play.plugin, '--', command];
  return runHost(program, args, { ...play, heard: (line) => hearLine(line, play) });
}

export interface HostRun {
  readonly stage: Stage;
  readonly model: string;
  readonly signal: AbortSignal;
  /** One line of its stream. */
  readonly heard: (line: string) => void;
}

/** The host headless, on a stage, with the model at this address and no account. */
export function runHost(program: string, args: readonly string[], run: HostRun): Promise<void> {
  const flags = ['-p', '--output-format', 'stream-json', '--verbose', '--include-hook-events'];
  const child = spawn(program, [...flags, ...args], {
    cwd: run.stage.project,
    env: { ...run.stage.env, ...withoutAccount(run.model) },
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  let cancelKill = () => {};
  const end = () => {
    cancelKill = endGently([() => child.kill('SIGTERM'), () => child.kill('SIGKILL')], GRACE_MS);
  };
  run.signal.addEventListener('abort', end, { once: true });
  const lines = cutLines(run.heard);
  child.stdout.on('data', lines.push).on('end', lines.end);
  return new Promise((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => {
      cancelKill();
      run.signal.removeEventListener('abort', end);
      resolve();
    });
  });
}

function withoutAccount(model: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'sk-ant-nobody',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Else it refuses some modes to root, as in a container.
    IS_SANDBOX: '1',
  };
}

function hearLine(line: string, { tell, answered }: Play): void {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  if (!isRecord(message)) return;
  if (message['type'] === 'system' && message['subtype'] === 'hook_response') answered();
  if (message['type'] !== 'assistant' || !isRecord(message['message'])) return;
  const { content } = message['message'];
  for (const block of Array.isArray(content) ? content.filter(isRecord) : []) tellBlock(block, tell);
}

export function tellBlock(block: Readonly<Record<string, unknown>>, tell: Tell): void {
  if (block['type'] === 'text') tell({ is: 'said', text: textAt(block, 'text') });
  if (block['type'] !== 'tool_use') return;
  const input = isRecord(block['input']) ? block['input'] : {};
  tell({ is: 'used', tool: textAt(block, 'name'), file: textAt(input, 'file_path') });
}

export function textAt(block: Readonly<Record<string, unknown>>, key: string): string {
  const value = block[key];
  return typeof value === 'string' ? value : '';
}

/** The real host as the agent: headless, with our plugin, against the scripted model, without an account. */
import { spawn } from 'node:child_process';
import { chosenHost } from '../hosts/adapters.ts';
import type { StreamEvent } from '../hosts/stream.ts';
import { endGently } from '../process/family.ts';
import { cutLines } from '../process/lines.ts';
import type { Tell } from './demo-event.ts';
import type { Stage } from './stage.ts';

export interface Play {
  readonly stage: Stage;
  readonly plugin: string;
  readonly model: string;
  readonly request: string;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Called after each answer of the hook, when the journal has new events. */
  readonly answered: () => void;
}

/** Between asking the host to end and killing it. */
const GRACE_MS = 2_000;

/** Resolves when the host has ended for any reason. The result of the loop is in the journal. */
export function playHost(program: string, play: Play): Promise<void> {
  const { typed, args } = chosenHost().rehearsal.withPlugin(play.plugin, play.request);
  play.tell({ is: 'typed', text: typed });
  const stream = chosenHost().headless.openStream();
  return runHost(program, args, {
    ...play,
    heard: (line) => {
      play.answered();
      for (const event of stream.read(line)) tellEvent(event, play.tell);
    },
  });
}

export interface HostRun {
  readonly stage: Stage;
  readonly model: string;
  readonly signal: AbortSignal;
  /** One line of its stream. */
  readonly heard: (line: string) => void;
}

/** Runs the host headless on the demo's stage, with the model at this address and no account. */
export function runHost(program: string, args: readonly string[], run: HostRun): Promise<void> {
  const command = chosenHost().rehearsal.command(run.model);
  const child = spawn(program, [...command.args, ...args], {
    cwd: run.stage.project,
    env: { ...run.stage.env, ...command.env },
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

function tellEvent(event: StreamEvent, tell: Tell): void {
  if (event.is === 'text') tell({ is: 'said', text: event.text });
  if (event.is === 'tool') tell({ is: 'used', tool: event.name, file: event.summary });
}

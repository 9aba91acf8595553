// A loop of the fleet as an activity of Temporal. Retries, timeouts and cancellation are Temporal's. The loop
// is submitted once, because its key is that of the workflow's run: a retry waits for the same loop.
//
//   const { runLoop } = proxyActivities<typeof activities>({
//     startToCloseTimeout: '7 days',
//     heartbeatTimeout: '1 minute',
//   });
//   const { id } = await runLoop({ prompt: 'Fix it.', repo: URL, ref: 'main', check: 'npm test' });
import { spawn } from 'node:child_process';
import { ApplicationFailure, Context } from '@temporalio/activity';

export interface Order {
  readonly prompt: string;
  readonly repo: string;
  readonly ref: string;
  readonly check: string;
}

const HEARTBEAT_MS = 10_000;
/** The command failed, and not the loop: the database is away, say. */
const FAILED = 1;

export async function runLoop({ prompt, repo, ref, check }: Order): Promise<{ readonly id: string }> {
  const context = Context.current();
  const { workflowExecution, activityId } = context.info;
  const run = workflowExecution?.runId ?? 'none';
  const key = `${workflowExecution?.workflowId ?? 'none'}/${run}/${activityId}`;
  const order = ['--repo', repo, '--ref', ref, '--check', check, '--key', key, '--json'];
  const submitted = await dacapo(['submit', prompt, ...order]);
  if (submitted.code !== 0) throw new Error(submitted.stdout + submitted.stderr);
  const { id } = JSON.parse(submitted.stdout) as { id: string };
  const beat = setInterval(() => context.heartbeat({ id }), HEARTBEAT_MS);
  context.heartbeat({ id });
  try {
    const ended = await Promise.race([dacapo(['wait', id], context.cancellationSignal), context.cancelled]);
    if (ended.code === 0) return { id };
    if (ended.code === FAILED) throw new Error(ended.stderr);
    // The code of the loop itself, as after `dacapo run`: to try again would end in the same way.
    throw ApplicationFailure.nonRetryable(`Loop ${id} ended with exit code ${ended.code}.`, 'LoopUndone', id);
  } catch (error) {
    if (!context.cancellationSignal.aborted) throw error;
    await dacapo(['cancel', id]);
    // It throws what says to Temporal that the activity was cancelled, and did not fail.
    return await context.cancelled;
  } finally {
    clearInterval(beat);
  }
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function dacapo(args: readonly string[], signal?: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('dacapo', ['fleet', ...args], { stdio: ['ignore', 'pipe', 'pipe'], signal });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

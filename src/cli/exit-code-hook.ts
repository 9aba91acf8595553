/**
 * `dacapo hook --protocol exit-code`: the protocol of seed 001, for hosts that know exit codes only. 2 goes on, with the
 * seed's exact JSON on stdout and what the agent is to read on stderr; everything else, errors included, is 0.
 */
import { readFileSync, writeSync } from 'node:fs';
import { topFrame, type Loop } from '../core/loop.ts';
import { hear } from '../hearing/hear.ts';
import { isDisabled, isDriven, type Runtime } from '../store/runtime.ts';
import { claudeCode } from '../hosts/claude-code/hook/host.ts';
import type { Answer } from '../hosts/host.ts';
import { withLoop } from '../operations/find.ts';
import { cliWorld } from './runtime.ts';

const ALLOW = 0;
const BLOCK = 2;

export async function runExitCodeHook(env: NodeJS.ProcessEnv): Promise<number> {
  if (isDisabled(env) || isDriven(env)) return ALLOW;
  try {
    const arrival = claudeCode.hear(JSON.parse(readFileSync(0, 'utf8')), env);
    if (arrival === null) return ALLOW;
    const world = cliWorld();
    return answer(await hear(arrival, world), arrival.from.session, world);
  } catch (error) {
    writeSync(2, `Da Capo failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return ALLOW;
  }
}

function answer(said: Answer, session: string, world: Runtime): number {
  if (said.is === 'continue') {
    writeSync(1, `{"decision": "block", "reason": ${JSON.stringify(reasonFor(session, world))}}`);
    writeSync(2, `${said.toAgent}\n`);
    return BLOCK;
  }
  // Where a tool is about to be used, the same code keeps it from being used.
  if (said.is === 'deny') {
    writeSync(2, `${said.toAgent}\n`);
    return BLOCK;
  }
  if ('toPerson' in said && said.toPerson !== null) writeSync(2, `${said.toPerson}\n`);
  return ALLOW;
}

function reasonFor(session: string, world: Runtime): string {
  const entry = world.store.sessions.find(session);
  const count = entry === null ? null : withLoop(entry.loop, world, (open) => counted(open.loop()));
  return `[ITERATION ${count ?? '?'}] Continue working on the task. Check your progress and either complete the task or keep iterating.`;
}

function counted(loop: Loop): string {
  const { passes, iterations } = topFrame(loop);
  return `${passes + 1}/${iterations ?? 'unlimited'}`;
}

/**
 * The program of the status bar: prints the loop of a session in one line. The host starts it every few
 * seconds, so without a loop it reads one small file. On any error it prints nothing, because the host shows
 * whatever it prints.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { amount, attempt, isRecord, recordAt } from '#base/shape.ts';
import { loopById } from '#engine/look/loops.ts';
import { projectOfAgent } from '#hosts/tables/names.ts';
import { ignoreForeignHome } from '#store/file/home.ts';
import { processRuntime } from '#engine/process-runtime.ts';
import { statusLine } from '#telling/status-line.ts';

const STDIN = 0;
const STDOUT = 1;
/** The person's own status line may query git in a large repository. */
const OWN_MS = 10_000;
const BETWEEN = '  ';

function main([flag, command = '']: readonly string[]): void {
  const input = attempt(() => readFileSync(STDIN, 'utf8'), '');
  const ours = attempt(() => lineOfLoop(input), null);
  const own = flag === '--own' && command !== '' ? attempt(() => runOwnLine(command, input), null) : null;
  const line = [ours, own].filter(Boolean).join(BETWEEN);
  if (line !== '') attempt(() => writeSync(STDOUT, `${line}\n`), null);
}

function lineOfLoop(input: string): string | null {
  const told: unknown = JSON.parse(input);
  if (!isRecord(told) || typeof told['session_id'] !== 'string') return null;
  const session = told['session_id'];
  const beside = (name: string) => join(__dirname, name);
  ignoreForeignHome(projectOfAgent(process.env));
  const runtime = processRuntime({
    env: process.env,
    runner: beside('runner.cjs'),
    sender: beside('sender.cjs'),
  });
  const entry = runtime.store.sessions.find(session);
  const loop = entry === null ? null : loopById(entry.loop, runtime);
  if (loop === null || loop.session.owner?.session !== session) return null;
  const usd = recordAt(told, 'cost')['total_cost_usd'];
  return statusLine(loop, runtime.now(), amount(usd) ? usd : null);
}

/** The output of the command that was the status line before, given the same input. */
function runOwnLine(command: string, input: string): string {
  // Loaded only here: it takes as long as the rest of this program.
  const { stdout } = process.getBuiltinModule('node:child_process').spawnSync(command, {
    shell: true,
    input,
    encoding: 'utf8',
    timeout: OWN_MS,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return (stdout ?? '').replace(/\n+$/, '');
}

main(process.argv.slice(3));

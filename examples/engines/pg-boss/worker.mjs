// Loops of the fleet as jobs of pg-boss, whose retries, delays and dead letter queue they get. A job says only when to
// look: the record of the fleet decides who works on a loop, so a job may run twice.
//
//   node worker.mjs ID...     sends loops that `dacapo fleet submit` has made
//   node worker.mjs           works on them until SIGTERM
//
// BOSS_URL: the database of pg-boss. DACAPO_URL_FILE: the file with the URL of the fleet.
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { PgBoss } from 'pg-boss';

const { BOSS_URL, DACAPO_URL_FILE, ...env } = process.env;
const ids = process.argv.slice(2);
const boss = new PgBoss({ connectionString: BOSS_URL });
boss.on('error', ({ message }) => console.error(message));
await boss.start();
await boss.createQueue('loops-dead');
// A retry comes after the lease of a worker that died. Below five of them, or the fleet sets the loop aside itself.
const retries = { retryLimit: 3, retryDelay: 20, heartbeatSeconds: 60, expireInSeconds: 24 * 3600 };
await boss.createQueue('loops', { ...retries, deadLetter: 'loops-dead' });
for (const id of ids) await boss.send('loops', { id });
if (ids.length > 0) await boss.stop();
else await boss.work('loops', { localConcurrency: 4 }, async ([job]) => work(job.data));

async function work({ id }) {
  const words = ['worker', '--loop', id, '--max-time', '23h', '--grace', '25s', '--database', '-', '--json'];
  const child = spawn('dacapo', words, { env, stdio: [openSync(DACAPO_URL_FILE), 'pipe', 'inherit'] });
  const leave = () => child.kill('SIGTERM');
  process.once('SIGTERM', leave);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-10_000)));
  const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  process.off('SIGTERM', leave);
  // 75: the loop goes on at `when`. 69: another worker has it, or this one can't take it; look again in a minute.
  const { when = 60 } = code === 75 ? JSON.parse(said.trim().split('\n').at(-1)) : {};
  if (code === 75 || code === 69) await boss.send('loops', { id }, { startAfter: when });
  else if (code !== 0) throw new Error(`dacapo worker --loop ${id}: exit code ${code}`);
}

process.once('SIGTERM', () => boss.stop({ timeout: 30_000 }));

// Submits as many Slurm jobs as the fleet has loops that are due, and no job for loops that wait.
//
//   node feeder.mjs [--every SECONDS] [--max N] [flags of sbatch] [-- flags of dacapo worker]
//
// Without --every it looks once, for cron or scrontab. Labels of a loop (`--needs gpu`) are features of nodes
// (`--constraint=gpu`). A job too many finds nothing to take and ends at once, so nothing here has to be exact.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const JOB = join(import.meta.dirname, 'worker.sbatch');
const given = process.argv.slice(2);
const dashes = given.indexOf('--');
const forWorker = dashes === -1 ? [] : given.splice(dashes).slice(1);
const take = (name, usual) => {
  const at = given.indexOf(name);
  return at === -1 ? usual : Number(given.splice(at, 2)[1]);
};
const [every, max] = [take('--every', 0), take('--max', 100)];
// Jobs get the environment of whoever submits them. The URL of the submitter is none of a job's business.
const { DACAPO_FLEET: _, ...forJobs } = process.env;
const run = (program, args, env = process.env) => execFileSync(program, args, { encoding: 'utf8', env });

/** Jobs that will take a loop as soon as they begin. One that Slurm has put back for later would only delay it. */
function pending(name) {
  const jobs = run('squeue', ['--me', '-h', '-r', '-t', 'PD', '-n', name, '-o', '%r']).trim().split('\n');
  return jobs.filter((reason) => reason !== '' && reason !== 'BeginTime').length;
}

function feed() {
  const wanted = new Map();
  for (const { needs, ready } of JSON.parse(run('dacapo', ['fleet', 'ready', '--json'])))
    if (ready > 0) wanted.set(needs.join(), (wanted.get(needs.join()) ?? 0) + ready);
  for (const [labels, ready] of wanted) {
    const name = labels === '' ? 'dacapo' : `dacapo:${labels}`;
    const count = Math.min(ready, max) - pending(name);
    if (count <= 0) continue;
    const where = labels === '' ? [] : [`--constraint=${labels.replaceAll(',', '&')}`];
    const who = labels === '' ? forWorker : [...forWorker, '--labels', labels];
    const flags = ['--parsable', `--array=1-${count}`, `--job-name=${name}`, ...where, ...given];
    const job = run('sbatch', [...flags, JOB, ...who], forJobs).trim();
    console.log(JSON.stringify({ job, count, labels }));
  }
}

do {
  try {
    feed();
  } catch (error) {
    // The database or Slurm is away for a while.
    if (every === 0) throw error;
    console.error(error.message);
  }
  await sleep(every * 1_000);
} while (every > 0);

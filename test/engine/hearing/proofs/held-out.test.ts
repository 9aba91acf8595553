/**
 * `--held-out CMD`, through the whole hearing: it counts as any check does, and no word of the command or of
 * its output is in anything that an agent may read.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listBelow } from '#base/files/list-below.ts';
import { readSubmitLine } from '#surfaces/cli/fleet/submit-line.ts';
import { declare } from '#engine/claims/claim.ts';
import { parseStart } from '#input/arguments.ts';
import { readHeldOut } from '#evidence/proofs/held-out.ts';
import { start } from '#engine/begin/start.ts';
import { checksOf } from '#law/gates.ts';
import { statusOf } from '#telling/loop-status.ts';
import { brief, freshBrief } from '#telling/agent/to-agent.ts';
import { sayEvent } from '#telling/event.ts';
import { Stage, toAgent, toPerson } from '../stage.ts';

vi.setConfig({ testTimeout: 60_000 });

const IN_COMMAND = 'canary-of-the-command';
const IN_OUTPUT = 'canary-of-the-output';

let stage: Stage;
let script: string;
beforeEach(() => {
  stage = new Stage();
  const oracle = join(stage.project, '..', 'oracle');
  mkdirSync(oracle);
  script = join(oracle, `${IN_COMMAND}.sh`);
  writeFileSync(script, `echo ${IN_OUTPUT} >&2; grep -q right answer.txt\n`);
});

const put = (file: string, content: string) => writeFileSync(join(stage.project, file), content);

/** As `dacapo start` does it, in a terminal. */
async function begin(flags = ''): Promise<void> {
  const request = parseStart(`Write the answer. --held-out "sh ${script}" ${flags}`);
  if (!request.ok) throw new Error(request.message);
  const from = stage.from();
  const order = { request, project: stage.project, host: from.host, actor: 'terminal', view: true } as const;
  const started = await start({ ...order, from, owns: 'start' }, stage.runtime());
  if (started.is !== 'started') throw new Error(JSON.stringify(started));
  started.open.close();
}

/** The contents of all files below a folder. */
function textBelow(folder: string): string {
  return listBelow(folder)
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

const expectNoLeak = (text: string) => {
  expect(text).not.toContain(IN_COMMAND);
  expect(text).not.toContain(IN_OUTPUT);
};

describe('a check that is held out', () => {
  it('keeps the loop going while it is red, and completes it as proven when it is green', async () => {
    await begin();
    expect(checksOf(stage.loop().frame)).toMatchObject([
      { command: 'held-out check 1', heldOut: true, begun: 'failed' },
    ]);
    const told = toAgent(await stage.stop('Done.'));
    expect(told).toContain("a check that you can't see fails");
    expect(told).not.toContain('exit');
    put('answer.txt', 'right\n');
    await stage.stop('Done.');
    expect(statusOf(stage.loop(), stage.now())).toMatchObject({
      status: 'completed',
      doneBy: ['check'],
      proven: true,
    });
  });

  it('leaves no word of itself in what an agent may read', async () => {
    await begin('--check true --view markdown --view progress --view stack --vault vault --parallel 2');
    const words = [toAgent(await stage.stop('<promise>COMPLETE</promise>'))];
    words.push(toAgent(await stage.sessionStart('compact')));
    const speech = { loop: stage.loop().id, session: stage.sender.session, mode: 'rehearse' } as const;
    words.push(
      JSON.stringify(await declare({ ...speech, what: 'done', words: 'All done.' }, stage.runtime())),
    );
    const loop = stage.loop();
    words.push(
      brief(loop, { prompt: 'x', file: 'y' }),
      freshBrief(loop, { prompt: 'x', file: 'y' }, 'another'),
    );
    words.push(JSON.stringify(statusOf(loop, stage.now())), ...stage.journal().map(sayEvent), ...stage.log);
    for (const text of words) expectNoLeak(text);
    expect(words.join('\n')).toContain("a check that you can't see");
    expectNoLeak(textBelow(stage.project));
    expectNoLeak(textBelow(stage.home.dir));
  });

  it('is kept for a person, with its last output', async () => {
    await begin();
    await stage.stop('Done.');
    expect(readHeldOut(stage.blobs())).toEqual([
      { label: 'held-out check 1', command: `sh ${script}`, output: expect.stringContaining(IN_OUTPUT) },
    ]);
  });

  it('runs in the clean room too', async () => {
    await begin('--clean');
    put('answer.txt', 'right\n');
    await stage.stop('Done.');
    expect(stage.status()).toBe('completed');
  });

  it('may be given several times, and one that was green at the start proves nothing', async () => {
    await begin('--held-out true');
    expect(checksOf(stage.loop().frame).map(({ command, begun }) => [command, begun])).toEqual([
      ['held-out check 1', 'failed'],
      ['held-out check 2', 'passed'],
    ]);
    expect(toAgent(await stage.sessionStart('compact'))).toContain("2 checks that you can't see");
  });

  it('needs a person if its command is gone', async () => {
    await begin();
    rmSync(join(stage.dir(), 'held-out.coded'));
    await stage.stop('Done.');
    expect(stage.loop().status).toMatchObject({ is: 'escalated', why: { command: 'held-out check 1' } });
  });
});

it('a session refuses it, because its agent reads what is typed there', async () => {
  const answer = await stage.command('start', `Write it. --held-out "sh ${script}"`);
  expect(toPerson(answer)).toContain('dacapo start "PROMPT" --held-out CMD');
  expect(stage.loops()).toEqual([]);
});

it('the guard refuses a line that names its file, and no other reading', async () => {
  await begin();
  const run = (command: string) =>
    stage.tool({ tool_name: 'Bash', tool_input: { command }, cwd: stage.project });
  expect(JSON.stringify(await run(`base64 -d ${stage.dir()}/held-out.coded`))).toContain('held out from you');
  expect((await run('cat answer.txt')).is).not.toBe('refuse');
});

it('a fleet refuses it, because its record shows the request to every worker', () => {
  const where = ['--repo', 'https://example.org/project.git', '--ref', 'main'];
  expect(readSubmitLine(['Write it', ...where, '--held-out', 'true'])).toMatchObject({
    code: 'held-out-here',
  });
  expect(readSubmitLine(['Write it', ...where, '--check', 'true'])).toMatchObject({ ok: true });
});

/**
 * `dacapo notify`: shows who is notified about loops. With `--test`, sends each target a message and says how
 * that went.
 */
import { randomUUID } from 'node:crypto';
import { nameOfTarget, targetOf, type Target } from '#input/config/notify-target.ts';
import type { Reading } from '#input/values.ts';
import { refuse } from '#base/refusal.ts';
import type { Runtime } from '#store/runtime.ts';
import { sendNotice } from '#engine/notices/channels/send.ts';
import { testMessage } from '#engine/notices/message.ts';
import { readUserConfig, sayMisfit, type UserConfig } from '#input/config/user-config.ts';
import { homeAt } from '#store/file/home.ts';
import { EXIT, failFor, failUsage, printNote, paint, printLines, sayJson } from '../terminal/terminal.ts';
import type { CommandCall, GivenFlags } from '../command.ts';

export async function runNotify(
  { target, test, json }: GivenFlags<'test' | 'json', 'target'>,
  { runtime }: CommandCall,
): Promise<number> {
  const { config: file } = homeAt(runtime.store.place());
  const config = readUserConfig(runtime.store.config);
  if (!config.ok) return failFor({ ...config, message: sayMisfit(config, file) });
  if (target !== undefined && !test)
    return failUsage('a target needs --test.', 'write dacapo notify --test TARGET.');
  if (!test) return printTargets(config.value, file, json);
  const targets = targetsFor(target, config.value, file);
  if (!targets.ok) return failFor(targets, targets.code === 'no-target' ? EXIT.failed : EXIT.usage);
  return testAll(targets.value, config.value.secret, json, runtime);
}

function printTargets({ notify, secret, events }: UserConfig, file: string, json: boolean): number {
  const targets = notify.map((one) => ({ target: nameOfTarget(one.target), events: one.events ?? events }));
  const isSigned = Boolean(process.env['DACAPO_NOTIFY_SECRET'] || secret);
  if (json) sayJson({ config: file, targets, signed: isSigned });
  else if (targets.length === 0)
    printLines(
      `Nobody is notified. Name targets in ${file}, for example {"notify": ["desktop"]},`,
      'or give a loop its own with --notify.',
    );
  else {
    printLines(...targets.map((one) => `${one.target}  ${paint.dim(one.events.join(', '))}`));
    printLines(paint.dim(`From ${file}. dacapo notify --test tries them.`));
  }
  return EXIT.ok;
}

/** A kind means all targets of that kind in the config. */
function targetsFor(word: string | undefined, { notify }: UserConfig, file: string): Reading<Target[]> {
  const configured = notify.map(({ target }) => target);
  const found = word === undefined ? configured : configured.filter(({ kind }) => kind === word);
  if (found.length > 0) return { ok: true, value: found };
  if (word === undefined)
    return refuse(
      'no-target',
      'No target is configured.',
      `Give one: dacapo notify --test desktop. Or put it into ${file}: {"notify": ["desktop"]}.`,
    );
  const read = targetOf(word);
  return read.ok ? { ok: true, value: [read.value] } : { ...read, message: `--test ${read.message}` };
}

async function testAll(
  targets: readonly Target[],
  configured: string | null,
  json: boolean,
  runtime: Runtime,
): Promise<number> {
  const secret = process.env['DACAPO_NOTIFY_SECRET'] || configured;
  const sending = {
    message: testMessage(runtime.now(), randomUUID()),
    secret,
    env: process.env,
    platform: process.platform,
    now: () => new Date(),
  };
  const tested = await Promise.all(
    targets.map(async (target) => {
      const began = Date.now();
      const { ok, detail } = await sendNotice(target, sending);
      return { target: nameOfTarget(target), ok, detail, ms: Date.now() - began };
    }),
  );
  const ok = tested.every((one) => one.ok);
  if (json) sayJson({ ok, signed: secret !== null, targets: tested });
  else {
    const [sent, failed] = [paint.green('✓'), paint.red('✗')];
    for (const { target, ok, detail, ms } of tested)
      printLines(`${ok ? sent : failed} ${target}: ${ok ? 'sent' : 'failed'} (${detail}, ${ms} ms)`);
    if (secret === null && targets.some(({ kind }) => kind === 'webhook'))
      printNote('The webhook was not signed: set notifySecret in the config, or DACAPO_NOTIFY_SECRET.');
  }
  return ok ? EXIT.ok : EXIT.failed;
}

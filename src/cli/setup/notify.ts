/** `dacapo notify`: shows who is notified about loops. With `--test`, sends each target a message and says how that went. */
import { randomUUID } from 'node:crypto';
import { nameOfTarget, targetOf, type Target } from '../../flags/notify-target.ts';
import type { Reading } from '../../flags/values.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { Runtime } from '../../store/runtime.ts';
import { send } from '../../sinks/channels/send.ts';
import { testMessage, type Sent } from '../../sinks/message.ts';
import { readUserConfig, sayMisfit, type UserConfig } from '../../flags/user-config.ts';
import { homeAt } from '../../store/file/home.ts';
import { EXIT, failFor, note, paint, say, sayJson } from '../terminal/terminal.ts';
import { cliRuntime } from '../runtime.ts';
import type { Given } from '../command.ts';

export async function runNotify({ target, test, json }: Given<'test' | 'json', 'target'>): Promise<number> {
  const runtime = cliRuntime();
  const { config: file } = homeAt(runtime.store.place());
  const config = readUserConfig(runtime.store.config);
  if (!config.ok) return failFor({ ...config, message: sayMisfit(config, file) });
  if (target !== undefined && !test)
    return failFor(
      refuse('no-test', 'A target is for --test.', 'Write dacapo notify --test TARGET.'),
      EXIT.usage,
    );
  if (!test) return show(config.value, file, json);
  const targets = targetsFor(target, config.value, file);
  return targets.ok ? testAll(targets.value, config.value, json, runtime) : failFor(targets, targets.exit);
}

function show({ notify, secret, events }: UserConfig, file: string, json: boolean): number {
  const targets = notify.map((one) => ({ target: nameOfTarget(one.target), events: one.events ?? events }));
  const isSigned = Boolean(process.env['DACAPO_NOTIFY_SECRET'] || secret);
  if (json) sayJson({ config: file, targets, signed: isSigned });
  else if (targets.length === 0)
    say(
      `Nobody is told. Name targets in ${file}, for example {"notify": ["desktop"]},`,
      'or give a loop its own with --notify.',
    );
  else {
    say(...targets.map((one) => `${one.target}  ${paint.dim(one.events.join(', '))}`));
    say(paint.dim(`From ${file}. dacapo notify --test tries them.`));
  }
  return EXIT.ok;
}

type Targets =
  | { readonly ok: true; readonly value: readonly Target[] }
  | (Refusal & { readonly exit: number });

/** A kind means all targets of that kind in the config. */
function targetsFor(word: string | undefined, { notify }: UserConfig, file: string): Targets {
  const configured = notify.map(({ target }) => target);
  const found = word === undefined ? configured : configured.filter(({ kind }) => kind === word);
  if (found.length > 0) return { ok: true, value: found };
  if (word === undefined)
    return {
      ...refuse(
        'no-target',
        'There is no target to test.',
        `Name one: dacapo notify --test desktop; or put it into ${file}: {"notify": ["desktop"]}.`,
      ),
      exit: EXIT.failed,
    };
  const read: Reading<Target> = targetOf(word);
  if (read.ok) return { ok: true, value: [read.value] };
  return { ...read, message: `--test ${read.message}`, exit: EXIT.usage };
}

interface Tested {
  readonly target: Target;
  readonly sent: Sent;
  readonly ms: number;
}

async function testAll(
  targets: readonly Target[],
  { secret: configured }: UserConfig,
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
    targets.map(async (target): Promise<Tested> => {
      const began = Date.now();
      return { target, sent: await send(target, sending), ms: Date.now() - began };
    }),
  );
  const ok = tested.every(({ sent }) => sent.ok);
  if (json) sayJson({ ok, signed: secret !== null, targets: tested.map(inJson) });
  else {
    say(...tested.map(lineOf));
    if (secret === null && targets.some(({ kind }) => kind === 'webhook'))
      note('The webhook was not signed: set notifySecret in the config, or DACAPO_NOTIFY_SECRET.');
  }
  return ok ? EXIT.ok : EXIT.failed;
}

function inJson({ target, sent, ms }: Tested) {
  return { target: nameOfTarget(target), ok: sent.ok, detail: sent.detail, ms };
}

function lineOf({ target, sent, ms }: Tested): string {
  const mark = sent.ok ? paint.green('✓') : paint.red('✗');
  return `${mark} ${nameOfTarget(target)}: ${sent.ok ? 'sent' : 'failed'} (${sent.detail}, ${ms} ms)`;
}

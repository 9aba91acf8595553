/**
 * The sink that reaches people outside of the terminal. It writes a file into the outbox, makes sure that one
 * detached process sends it, and returns. Where nobody is to be told, it looks for one small file and does
 * nothing.
 */
import type { NoticeKind } from '#law/notices.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { targetOf, type Target } from '#input/config/notify-target.ts';
import type { Runtime } from '#store/runtime.ts';
import { whyNoDesktop } from './channels/desktop-programs.ts';
import { messageForNotice } from './message.ts';
import { isSending, OUTBOX, spool } from './outbox.ts';
import type { Sink } from './sink.ts';
import { NO_CONFIG, readUserConfig, sayMisfit, type UserConfig } from '#input/config/user-config.ts';

const MAX_REASON_CHARS = 300;

/** `sender`: the bundled program that sends what is in the outbox. `start`: starts it for a home. */
export function notifySink(runtime: Runtime, sender: string, start = startSender): Sink {
  const { store, env, log, isAlive } = runtime;
  return (notice) => {
    const { is, loop } = notice;
    const config = readUserConfig(store.config);
    if (!config.ok) log(`notify: ${oneLine(`${sayMisfit(config)} ${config.next}`, MAX_REASON_CHARS)}`);
    const wanted = config.ok ? config.value : NO_CONFIG;
    const targets = route(is, loop.people.notify, wanted);
    if (targets.length === 0) return;
    const folder = store.folder(OUTBOX);
    const kept = spool(folder, {
      version: 1,
      at: runtime.now(),
      order: loop.events,
      message: messageForNotice(notice, wanted.callbackUrl),
      targets,
      secret: env['DACAPO_NOTIFY_SECRET'] || wanted.secret,
    });
    if (!kept) log(`notify event=${is} loop=${loop.id}: not sent, because the outbox is full`);
    if (!isSending(folder, isAlive)) start(sender, store.place());
  };
}

/** It outlives this process, and holds neither its terminal nor its folder. */
function startSender(program: string, home: string): void {
  // Loaded late, because this takes a hook longer than all the rest.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const sender = spawn(process.execPath, [program, home], {
    cwd: home,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  // The file stays in the outbox, and the next sender finds it.
  sender.on('error', () => undefined);
  sender.unref();
}

/**
 * Which targets get a notice. `own`: those that the loop names itself. One that can't be read is left out:
 * the start has refused it.
 */
function route(is: NoticeKind, own: readonly string[], config: UserConfig): Target[] {
  const wanted = [
    ...config.notify
      .filter(({ events }) => (events ?? config.events).includes(is))
      .map(({ target }) => target),
    ...(config.events.includes(is) ? own.flatMap(ownTarget) : []),
  ];
  // A target that is named twice gets one message.
  return [...new Map(wanted.map((target) => [JSON.stringify(target), target])).values()];
}

function ownTarget(text: string): Target[] {
  const read = targetOf(text);
  return read.ok ? [read.value] : [];
}

/**
 * Which targets can't be reached from here, as far as that shows without sending anything. `own`: as above.
 */
export function sayUnreachable(own: readonly string[], { store, env }: Runtime): string[] {
  const config = readUserConfig(store.config);
  const configured = config.ok ? config.value.notify.map(({ target }) => target) : [];
  const why = [...configured, ...own.flatMap(ownTarget)].some(({ kind }) => kind === 'desktop')
    ? whyNoDesktop(process.platform, env)
    : null;
  return why === null
    ? []
    : [`You get no notification on the desktop: ${why}. Install it, or name another target.`];
}

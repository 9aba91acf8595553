/**
 * The sink that reaches people outside of the terminal. `tell` writes a file into the outbox, makes sure that one
 * detached process sends it, and returns. Where nobody is to be told, it looks for one small file and does nothing.
 */
import { oneLine } from '../core/words/sanitize.ts';
import type { Runtime } from '../store/runtime.ts';
import { messageOf } from './message.ts';
import { isSending, OUTBOX, spool } from './outbox.ts';
import { route } from './route.ts';
import type { Sink } from './sink.ts';
import { NO_CONFIG, readUserConfig, sayMisfit } from '../flags/user-config.ts';

const WHY = 300;

/** `sender`: the bundled program that sends what is in the outbox. `start`: starts it for a home. */
export function notifySink(runtime: Runtime, sender: string, start = startSender): Sink {
  const { store, env, log, isAlive } = runtime;
  return {
    tell: (notice) => {
      const { is, loop } = notice;
      const config = readUserConfig(store.config);
      if (!config.ok) log(`notify: ${oneLine(`${sayMisfit(config)} ${config.next}`, WHY)}`);
      const wanted = config.ok ? config.value : NO_CONFIG;
      const targets = route(is, loop.people.notify, wanted);
      if (targets.length === 0) return;
      const folder = store.folder(OUTBOX);
      const kept = spool(folder, {
        version: 1,
        at: runtime.now(),
        order: loop.events,
        message: messageOf(notice, wanted.callbackUrl),
        targets,
        secret: env['DACAPO_NOTIFY_SECRET'] || wanted.secret,
      });
      if (!kept) log(`notify event=${is} loop=${loop.id}: not sent, because the outbox is full`);
      if (!isSending(folder, isAlive)) start(sender, store.place());
    },
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

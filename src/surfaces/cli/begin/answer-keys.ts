/**
 * Lets a person answer in the terminal of a run. The keys are taken only while a request waits, so that
 * Ctrl-C, Ctrl-Z and what the person types meanwhile work as in any other program.
 */
import type { RunEventBody } from '#engine/run-event.ts';
import type { Answering } from '#surfaces/screen/answer-keys.ts';
import { MARK_PASTE, PASTE_AS_TYPED } from '#surfaces/screen/terminal/writer.ts';
import type { Live } from '#surfaces/screen/live.ts';
import { openKeys, type KeyPress } from '#surfaces/screen/watch/keys.ts';
import { machineActions } from '#engine/steer/actions.ts';
import type { Runtime } from '#store/runtime.ts';
import { actOn } from '../look/watch/acts.ts';
import { writeToTerminal, isForeground, rawKeys } from '../terminal/full-terminal.ts';

/** What was typed before the request was on the screen is not an answer to it. */
const SETTLE_MS = 500;

export function openAnswerKeys(live: Live, warn: (text: string) => void, runtime: Runtime) {
  let waiting: Answering['request'] | null = null;
  let offered: NodeJS.Timeout | null = null;

  const takeKeys = (): void => {
    if (waiting === null || !process.stdin.isTTY || !isForeground()) return;
    const request = waiting;
    keys.take();
    writeToTerminal(MARK_PASTE);
    offered = setTimeout(() => live.offer(request), SETTLE_MS);
  };
  const giveKeysBack = (): void => {
    if (offered === null) return;
    clearTimeout(offered);
    offered = null;
    live.offer(null);
    writeToTerminal(PASTE_AS_TYPED);
    keys.giveBack();
  };
  const press = (pressed: readonly KeyPress[]): void => {
    for (const key of pressed) {
      if (key.is === 'key' && key.name === 'ctrl-c') signal('SIGINT');
      else if (key.is === 'key' && key.name === 'ctrl-z') {
        giveKeysBack();
        signal('SIGTSTP');
      } else {
        const act = live.press(key);
        if (act === null) continue;
        void actOn(act, machineActions(runtime), null).then(
          ({ mark, text }) => mark === 'failed' && warn(text),
        );
        return giveKeysBack();
      }
    }
  };
  const keys = rawKeys(openKeys(press));
  const comeBack = (): void => {
    if (isForeground()) giveKeysBack();
    takeKeys();
  };

  process.on('SIGCONT', comeBack);
  return {
    hear: (what: RunEventBody): void => {
      if (what.is !== 'waits' && what.is !== 'goes-on' && what.is !== 'ends') return;
      waiting = what.is === 'waits' ? (what.request ?? null) : null;
      giveKeysBack();
      takeKeys();
    },
    end: () => {
      process.off('SIGCONT', comeBack);
      giveKeysBack();
    },
  };
}

/** As the terminal does it where keys are not taken: to all processes of this job. */
function signal(name: 'SIGINT' | 'SIGTSTP'): void {
  if (process.platform !== 'win32') process.kill(0, name);
  else if (name === 'SIGINT') process.emit(name);
}

/**
 * The child of a worker that drives one loop, with the journal in files and the driver of one machine. It ends at once
 * when its worker is gone. When it hears nothing of its lease, another worker may soon have the loop: it stops its pass
 * where it stands until it hears that the loop is still its own, or ends it where that can't be done.
 */
import { errorMessage } from '../../core/shape.ts';
import { sharedClock } from '../worker/protocol.ts';
import type { DrivenOrder, FromChild, Settle, SettledAs, ToChild } from '../worker/protocol.ts';
import { CAN_FREEZE, openFreezer } from '../../process/freeze.ts';
import { concealer } from './conceal.ts';
import { beginHere } from './begin.ts';
import { driveLoop } from './drive.ts';

const LOOK_MS = 250;
/** A driver that is told to stop ends its pass in order. Before and after it, there is none. */
let isDriving = false;
const LOST: SettledAs = { is: 'settled', as: 'lost', mostUsd: null, inbox: [] };

// The worker decides when a pass ends. Ctrl-C in its terminal reaches this process too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', leave);
process.once('message', (order: DrivenOrder) => void main(order));

const freezer = openFreezer();

/** The watchdog ends the host, and everything that the host has started. */
function leave(): void {
  process.kill(process.pid, 'SIGKILL');
}

const conceal = concealer(process.env);

function send(message: FromChild): void {
  process.send?.(JSON.parse(conceal(JSON.stringify(message))), () => undefined);
}

async function main(order: DrivenOrder): Promise<void> {
  const stop = new AbortController();
  const settle = listen(order.until, stop);
  try {
    const begun = await beginHere(order, (event) => send({ is: 'tell', event }));
    if ('release' in begun) return send({ is: 'done', ...begun });
    isDriving = true;
    const done = await driveLoop(begun, { send, settle, stopped: stop.signal });
    isDriving = false;
    // The pass is gone with all that it started, and its worker waits for that.
    if (stop.signal.aborted) leave();
    else send(done);
  } catch (error) {
    send({ is: 'done', shipment: null, release: { until: 'later', why: errorMessage(error) } });
  }
}

/** Hears the worker. The result asks it to settle what the loop wrote, and waits for the answer. */
function listen(from: number, stop: AbortController): (asked: Settle) => Promise<SettledAs> {
  let until = from;
  let stands = false;
  let answered: ((answer: SettledAs) => void) | null = null;
  process.on('message', (message: ToChild) => {
    if (message.is === 'lease') {
      until = message.until;
      // It may be an old one, where the worker was frozen.
      if (sharedClock() <= until) {
        stands = false;
        freezer.thaw();
      }
    }
    if (message.is === 'settled') answered?.(message);
    if (message.is !== 'stop') return;
    stop.abort();
    if (!isDriving) leave();
    answered?.(LOST);
  });
  const look = (late: () => void) => {
    if (sharedClock() > until) late();
  };
  const standStill = () => {
    if (!CAN_FREEZE) return leave();
    freezer.freeze();
    if (!stands) send({ is: 'stands' });
    stands = true;
  };
  // Where this process was busy, what the worker has said meanwhile is read between the two looks.
  setInterval(() => look(() => setImmediate(look, standStill)), LOOK_MS);
  return (asked) =>
    new Promise((resolve) => {
      answered = resolve;
      send(asked);
    });
}

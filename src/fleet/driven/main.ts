/**
 * The child of a worker that drives one loop, with the journal in files and the driver of one machine. It
 * ends at once when its worker is gone. `driven-step.ts` decides what it does about its lease.
 */
import { errorMessage } from '#base/shape.ts';
import { CAN_FREEZE, openFreezer } from '#base/process/freeze.ts';
import { sharedClock } from '../worker/protocol.ts';
import type { DrivenOrder, FromChild, Settle, SettledAs, ToChild } from '../worker/protocol.ts';
import { beginHere } from './begin.ts';
import { concealer } from './conceal.ts';
import { driveLoop } from './drive.ts';
import { initialDriven, stepDriven, type DrivenEffect, type DrivenNews } from './driven-step.ts';

const DRIVEN_POLL_MS = 250;

const conceal = concealer(process.env);

// The worker decides when a pass ends. Ctrl-C in its terminal reaches this process too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', killSelf);
process.once('message', (order: DrivenOrder) => void main(order));

/** The watchdog ends the host, and everything that the host has started. */
function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}

function sendToWorker(message: FromChild): void {
  process.send?.(JSON.parse(conceal(JSON.stringify(message))), () => undefined);
}

async function main(order: DrivenOrder): Promise<void> {
  const { tell, settle, stopped } = openDriven(order.until);
  try {
    const begun = await beginHere(order, (event) => sendToWorker({ is: 'tell', event }));
    if ('release' in begun) return sendToWorker({ is: 'done', ...begun });
    tell({ is: 'drive-begins' });
    const done = await driveLoop(begun, { send: sendToWorker, settle, stopped });
    tell({ is: 'drive-ended' });
    if (!stopped.aborted) sendToWorker(done);
  } catch (error) {
    sendToWorker({ is: 'done', shipment: null, release: { until: 'later', why: errorMessage(error) } });
  }
}

/** Hears the worker. `settle` asks it to settle what the loop wrote, and waits for the answer. */
function openDriven(leaseUntil: number) {
  let state = initialDriven(leaseUntil, CAN_FREEZE);
  const stop = new AbortController();
  const freezer = openFreezer();
  let answerDriver: (settled: SettledAs) => void = () => undefined;
  const tell = (news: DrivenNews): void => {
    const stepped = stepDriven(state, { ...news, at: sharedClock() });
    state = stepped.state;
    for (const effect of stepped.effects) perform(effect);
  };
  const perform = (effect: DrivenEffect): void => {
    switch (effect.is) {
      case 'freeze':
        return freezer.freeze();
      case 'thaw':
        return freezer.thaw();
      case 'tell-standing':
        return sendToWorker({ is: 'stands' });
      case 'look-again':
        return void setImmediate(() => tell({ is: 'look-again' }));
      case 'stop-driver':
        return stop.abort();
      case 'leave':
        return killSelf();
      case 'answer-driver':
        return answerDriver(effect.settled);
    }
  };
  process.on('message', (message: ToChild) => tell({ is: 'worker-said', message }));
  setInterval(() => tell({ is: 'look' }), DRIVEN_POLL_MS);
  const settle = (asked: Settle): Promise<SettledAs> =>
    new Promise((resolve) => {
      answerDriver = resolve;
      tell({ is: 'settle-asked' });
      if (!stop.signal.aborted) sendToWorker(asked);
    });
  return { tell, settle, stopped: stop.signal };
}

/** `dacapo logs`: the journal as readable lines, now or as it grows; `--hook`: what the hook did. */
import { existsSync, readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import type { Event } from '../../core/events.ts';
import { hasEnded } from '../../core/loop.ts';
import { sayEnded } from '../../text/to-person.ts';
import { homeAt } from '../../store/file/home.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { sayEvent } from '../../text/event.ts';
import { harmless, oneLine } from '../../core/sanitize.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { noLoops, pickNewest } from '../loops.ts';
import { fail, note, paint, say } from '../terminal/terminal.ts';
import { clockTime } from '../../text/time.ts';
import { cliWorld } from '../runtime.ts';

export interface LogsOptions {
  readonly id: string | undefined;
  readonly follow: boolean;
  readonly hook: boolean;
  readonly json: boolean;
}

const POLL_MS = 500;

export async function runLogs({ id, follow, hook, json }: LogsOptions): Promise<number> {
  const world = cliWorld();
  if (hook) return showHookLog(id, follow, world);
  const picked = pickNewest(id, 'logs', world);
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none') return noLoops();
  const open = world.store.open(picked.loop.id);
  if (open === null) return fail(`loop ${picked.loop.id} can't be read.`, 'dacapo list shows what is there.');
  try {
    await show(open, follow, json ? (event) => JSON.stringify(event) : line);
    if (open.broken() !== null)
      note(`The record has a line that is no event: ${oneLine(open.broken() ?? '', 200)}`);
    if (follow && !json) say(sayEnded(open.loop()));
  } finally {
    open.close();
  }
  return EXIT.ok;
}

/** Following ends when the loop does. */
function show(open: OpenLoop, follow: boolean, render: (event: Event) => string): Promise<void> {
  let from = 0;
  const news = (): void => {
    const { events, upTo } = open.journal.read(from);
    from = upTo;
    if (events.length > 0) say(...events.map(render));
  };
  news();
  if (!follow) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      news();
      if (!hasEnded(open.look())) return;
      stop();
      news();
      resolve();
    };
    const stop = open.journal.watch(look);
    // It may have grown, and ended, before the watch began.
    look();
  });
}

function line(event: Event): string {
  return `${paint.dim(clockTime(event.at))}  ${paintEvent(event)}  ${sayEvent(event)}`;
}

function paintEvent({ type }: Event): string {
  const word = type.padEnd(11);
  switch (type) {
    case 'created':
    case 'bound':
    case 'taken':
    case 'moved':
    case 'resumed':
    case 'prompted':
    case 'pushed':
      return paint.cyan(word);
    case 'verdict':
      return paint.bold(word);
    case 'cancelled':
    case 'aborted':
    case 'lost':
      return paint.red(word);
    case 'paused':
    case 'altered':
    case 'shortened':
    case 'interrupted':
    case 'faulted':
      return paint.yellow(word);
    case 'stop':
    case 'amended':
    case 'bounded':
    case 'compacted':
    case 'viewed':
    case 'woken':
    case 'asked':
    case 'checkpointed':
    case 'restored':
    case 'planned':
    case 'recorded':
    case 'spent':
    case 'held':
      return word;
  }
}

async function showHookLog(id: string | undefined, follow: boolean, { store }: Runtime): Promise<number> {
  const { log } = homeAt(store.place());
  if (id !== undefined) return fail('hook.log is about all loops.', 'leave the ID out.', EXIT.usage);
  if (!existsSync(log))
    return fail(
      `the hook has written nothing yet: ${log} is not there.`,
      'dacapo doctor looks whether the hook is called.',
    );
  let shown = 0;
  const news = (): void => {
    const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    if (size === shown) return;
    const content = readFileSync(log);
    // Shorter than before: it was rotated.
    // What a project or a host named stands in it: nothing of that is to steer the terminal.
    process.stdout.write(harmless(content.subarray(content.length < shown ? 0 : shown).toString('utf8')));
    shown = content.length;
  };
  news();
  if (follow)
    await new Promise<void>((resolve) => {
      watchFile(log, { interval: POLL_MS }, news);
      process.once('SIGINT', () => {
        unwatchFile(log, news);
        resolve();
      });
    });
  return EXIT.ok;
}

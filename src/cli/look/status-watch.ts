/** `dacapo status --watch`: redraws the picture in place in a terminal. Elsewhere it prints one line per change. */
import { hasEnded } from '../../core/loop.ts';
import type { StatusNow } from '../../operations/look/status.ts';
import { draw, NOTHING_DRAWN } from '../../screen/writer.ts';
import { clockTime } from '../../text/time.ts';
import { hearAll, rawKeys } from '../terminal/full-terminal.ts';
import { EXIT, fit, paint, say } from '../terminal/terminal.ts';

/** "12 s ago" changes every second, and a new iteration should show up as fast. */
const LOOK_MS = 1_000;
const HINT = 'q or Ctrl-C ends this';
const CTRL_C = '\u0003';

export interface Pictures {
  readonly words: (standings: readonly StatusNow[]) => string;
  readonly brief: (standing: StatusNow) => string;
}

export async function watchStatus(look: () => readonly StatusNow[], pictures: Pictures): Promise<number> {
  await (process.stdout.isTTY ? redraw(look, pictures) : lines(look, pictures));
  return EXIT.ok;
}

function redraw(look: () => readonly StatusNow[], { words }: Pictures): Promise<void> {
  const { stdout } = process;
  let drawn = NOTHING_DRAWN;
  const paintNow = (): void => {
    const picture = words(look()).split('\n');
    const all = [...picture.flatMap((line) => fit(line, stdout.columns)), '', paint.dim(HINT)];
    // Lines that do not fit would scroll away and could not be redrawn.
    const block = all.length < stdout.rows ? all : [...all.slice(0, stdout.rows - 2), paint.dim('…')];
    const next = draw(drawn, [], block, stdout.columns, true);
    drawn = next.drawn;
    stdout.write(next.bytes);
  };
  return new Promise((resolve) => {
    const end = (): void => {
      clearInterval(timer);
      stopHearing();
      keys.giveBack();
      stdout.write('\r\n');
      resolve();
    };
    const keys = rawKeys((bytes) => {
      if (['q', 'Q', CTRL_C].includes(bytes.toString())) end();
    });
    if (process.stdin.isTTY) keys.take();
    const stopHearing = hearAll([process, { SIGINT: end, SIGTERM: end }], [stdout, { resize: paintNow }]);
    paintNow();
    const timer = setInterval(paintNow, LOOK_MS);
  });
}

/** Runs until no loop is left that could change. */
async function lines(look: () => readonly StatusNow[], { brief }: Pictures): Promise<void> {
  const said = new Map<string, string>();
  for (;;) {
    const standings = look();
    for (const one of standings) {
      const line = brief(one);
      if (said.get(one.loop.id) === line) continue;
      said.set(one.loop.id, line);
      say(`${clockTime(new Date().toISOString())}  ${line}`);
    }
    if (standings.every(({ loop }) => hasEnded(loop))) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

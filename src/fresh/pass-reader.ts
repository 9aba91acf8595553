/** From the bytes of a host's stream to what a pass has told: flat memory, whatever comes. */
import type { HeadlessHost } from '../hosts/headless.ts';
import type { Seen, Told } from '../hosts/stream.ts';
import { cutLines } from '../process/lines.ts';
import { NOTHING_TOLD, tell } from './pass-record.ts';

export interface Reader {
  push(chunk: Buffer): void;
  end(): void;
  told(): Told;
  /** Lines that were too long to be read. */
  skipped(): number;
}

export function readStream(host: Pick<HeadlessHost, 'read'>, give: (seen: Seen) => void): Reader {
  let told = NOTHING_TOLD;
  const lines = cutLines((line) => {
    for (const seen of host.read(line)) {
      told = tell(told, seen);
      give(seen);
    }
  });
  return {
    push: (chunk) => lines.push(chunk),
    end: () => lines.end(),
    told: () => told,
    skipped: () => lines.skipped(),
  };
}

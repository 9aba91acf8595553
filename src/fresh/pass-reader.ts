/** From the bytes of a host's stream to what a pass has told: flat memory, whatever comes. */
import type { HeadlessHost, Seen, Told } from '../hosts/host.ts';
import { cutLines, type Lines } from '../process/lines.ts';
import { NOTHING_TOLD, tell } from './pass-record.ts';

export interface Reader extends Lines {
  readonly told: () => Told;
}

export function readStream(host: Pick<HeadlessHost, 'read'>, give: (seen: Seen) => void): Reader {
  let told = NOTHING_TOLD;
  const lines = cutLines((line) => {
    for (const seen of host.read(line)) {
      told = tell(told, seen);
      give(seen);
    }
  });
  return { ...lines, told: () => told };
}

/** Reads the bytes of a host's stream into the record of a pass, in bounded memory. */
import type { HeadlessHost } from '../../hosts/headless.ts';
import type { StreamEvent, PassRecord } from '../../hosts/stream.ts';
import { cutLines, type Lines } from '../../process/lines.ts';
import { EMPTY_RECORD, recordEvent } from './pass-record.ts';

export interface PassReader extends Lines {
  readonly record: () => PassRecord;
}

export function readStream(
  host: Pick<HeadlessHost, 'openStream'>,
  give: (event: StreamEvent) => void,
): PassReader {
  const stream = host.openStream();
  let record = EMPTY_RECORD;
  const lines = cutLines((line) => {
    for (const event of stream.read(line)) {
      record = recordEvent(record, event);
      give(event);
    }
  });
  return { ...lines, record: () => record };
}

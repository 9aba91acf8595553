/** An error that no retry can fix needs a person: writes a request with all that is known about it. */
import { title } from '../../text/to-person.ts';
import type { FatalKind } from '../../hosts/stream.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { OpenLoop } from '../../store/open-loop.ts';

export function askForReview(
  open: OpenLoop,
  { kind, why }: { readonly kind: FatalKind; readonly why: string },
  evidence: string | null,
  runtime: Runtime,
): string {
  const loop = open.loop();
  const at = runtime.now();
  const name = `requests/review-${loop.events}.json`;
  const request = {
    kind: 'review',
    loop_id: loop.id,
    title: title(loop),
    project: loop.project,
    at,
    error: { class: kind, message: why, evidence },
    next: `dacapo resume ${loop.id}`,
  };
  open.blobs.write(name, `${JSON.stringify(request, null, 2)}\n`, { durable: true });
  return open.blobs.place(name);
}

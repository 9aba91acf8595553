/** `dacapo approvals`: what waits for a person's answer. */
import { openRequests } from '../../operations/requests/open-requests.ts';
import { ago } from '../../text/time.ts';
import { projectRoot, shownPath } from '../project.ts';
import { cliWorld } from '../runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { table } from '../terminal/table.ts';
import { paint, say, sayJson, verbatim } from '../terminal/terminal.ts';
import { oneLine } from '../../core/words/sanitize.ts';

const SHOWN = 200;

export interface ApprovalsOptions {
  readonly all: boolean;
  readonly json: boolean;
}

export async function runApprovals({ all, json }: ApprovalsOptions): Promise<number> {
  const world = cliWorld();
  const open = openRequests(all ? null : projectRoot(), world);
  if (json) {
    sayJson(open);
    return EXIT.ok;
  }
  if (open.length === 0) {
    say(
      all
        ? 'Nothing waits for your answer.'
        : 'Nothing of this project waits for your answer. dacapo approvals --all shows other projects.',
    );
    return EXIT.ok;
  }
  const heading = ['ID', 'LOOP', 'KIND', 'ASKED', ...(all ? ['PROJECT'] : []), 'WHAT'];
  const rows = open.map(({ id, loop, kind, asked_at, project, what }) => [
    id,
    loop,
    kind,
    ago(asked_at, world.now()),
    ...(all ? [shownPath(project)] : []),
    oneLine(what, SHOWN),
  ]);
  say(
    ...table([heading.map((word) => paint.dim(word)), ...rows]).map(verbatim),
    '',
    ...open
      .slice(0, 1)
      .map(({ id, kind }) =>
        kind === 'question'
          ? `dacapo answer ${id} "…" answers it.`
          : `dacapo approve ${id} or dacapo reject ${id} --note "…" answers it.`,
      ),
  );
  return EXIT.ok;
}

/** Names the checks that are held out from the agent, for a person: never in the shell of an agent. */
import { oneLine } from '#base/words/sanitize.ts';
import { agentSign } from '#hosts/tables/names.ts';
import { withLoop } from '#engine/look/loops.ts';
import { readHeldOut } from '#evidence/proofs/held-out.ts';
import type { Runtime } from '#store/runtime.ts';
import { failingLines } from '#telling/failing.ts';

const COMMAND_SHOWN = 300;
const LINES_SHOWN = 3;
const LINE_SHOWN = 200;

/** Each with the telling lines of its last output, if it failed. */
export function heldOutLines(loop: string, runtime: Runtime): string[] {
  if (agentSign(runtime.env) !== null) return [];
  const all = withLoop(loop, runtime, ({ blobs }) => readHeldOut(blobs)) ?? [];
  return all.flatMap(({ label, command, output }) => [
    `${label}: \`${oneLine(command, COMMAND_SHOWN)}\``,
    ...failingLines(output, LINES_SHOWN).map((line) => `  ${oneLine(line, LINE_SHOWN)}`),
  ]);
}

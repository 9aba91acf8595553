/** Names the checks that are held out from the agent, for a person: never in the shell of an agent. */
import { oneLine } from '#base/words/sanitize.ts';
import { agentSign } from '#hosts/tables/names.ts';
import { withLoop } from '#engine/look/loops.ts';
import { readHeldOut } from '#evidence/proofs/held-out.ts';
import type { Runtime } from '#store/runtime.ts';
import { failingLines } from '#telling/failing.ts';

const MAX_COMMAND_CHARS = 300;
const MAX_LINES_SHOWN = 3;
const MAX_LINE_CHARS = 200;

/** Each with the telling lines of its last output, if it failed. */
export function heldOutLines(loop: string, runtime: Runtime): string[] {
  if (agentSign(runtime.env) !== null) return [];
  const all = withLoop(loop, runtime, ({ blobs }) => readHeldOut(blobs)) ?? [];
  return all.flatMap(({ label, command, output }) => [
    `${label}: \`${oneLine(command, MAX_COMMAND_CHARS)}\``,
    ...failingLines(output, MAX_LINES_SHOWN).map((line) => `  ${oneLine(line, MAX_LINE_CHARS)}`),
  ]);
}

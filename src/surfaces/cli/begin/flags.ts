/** The flags of the commands that begin a loop. */
import { refuse } from '#base/refusal.ts';
import { nearest } from '#base/words/did-you-mean.ts';
import { acpCommand } from '#base/words/acp-host.ts';
import { readAcpHost } from '#input/values.ts';
import { chosenNames, HOST_NAMES } from '#hosts/tables/names.ts';
import { under } from '#input/flag.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import { PLAN_FLAGS, RUN_FLAGS } from '#input/run-flags.ts';
import { readPath, type Reading } from '#input/values.ts';

const HOSTS = HOST_NAMES.map(({ name }) => name);
const CHOSEN = chosenNames().name;
const SHOWN_HOSTS = [`${CHOSEN} (default)`, ...HOSTS.filter((name) => name !== CHOSEN)].join(', ');

/** What each of them has beside the flags of a loop. */
export const PROMPT_FLAGS = under('The task:', {
  '--host HOST': {
    read: readHost,
    ifMissing: `Write --host ${HOSTS.join(' or --host ')}.`,
    help: `the coding agent: ${SHOWN_HOSTS}, or acp:COMMAND`,
  },
  '--prompt-file FILE': {
    field: 'file',
    read: readPath,
    ifMissing: 'Write --prompt-file PROMPT.md.',
    help: 'read the prompt from this file; with - as the prompt, from stdin',
  },
});
const DRY_RUN = under('What is shown:', {
  '--dry-run': 'show what would happen, but start nothing; the checks run once',
});
export const JSON_FLAG = under('What is shown:', { '--json': 'print JSON, for programs' });

export const READY_FLAGS = { ...PROMPT_FLAGS, ...LOOP_FLAGS, ...JSON_FLAG };

export const START_FLAGS = {
  ...PROMPT_FLAGS,
  ...LOOP_FLAGS,
  ...DRY_RUN,
  ...under('What is shown:', { '--json': 'with --dry-run: print JSON, for programs' }),
};

export const RUN_LINE_FLAGS = {
  ...PROMPT_FLAGS,
  ...LOOP_FLAGS,
  ...PLAN_FLAGS,
  ...RUN_FLAGS,
  ...DRY_RUN,
  ...under('What is shown:', { '--json': 'print one JSON event per line, for programs' }),
};

export function readHost(name: string): Reading<string> {
  if (HOSTS.includes(name)) return { ok: true, value: name };
  if (acpCommand(name) !== null) return readAcpHost(name);
  const why = `takes the name of a coding agent, not ${JSON.stringify(name)}.`;
  const meant = nearest(name, HOSTS);
  const guess = meant === null ? '' : `Did you mean ${meant}? `;
  return refuse('unknown-host', why, `${guess}Give one of: ${HOSTS.join(', ')}, or acp:COMMAND.`);
}

/** A file that is moved when the work is done, in the real host. */
import { expect, test } from 'vitest';
import type { Reply } from '../host.ts';
import { makeWorld, newContext, notices } from '../world.ts';

/** The document's own example. */
const WATCH = '--watch-file "Needs_Action/INVOICE_client.md" --done-folder "Done/"';

const shell = (command: string): Reply => [{ tool: 'Bash', input: { command } }];

test('the loop ends when the watched file is in its done folder', async () => {
  const world = await makeWorld([
    'I read the invoice.',
    shell('mkdir -p Done && mv Needs_Action/INVOICE_client.md Done/'),
    'Paid, and moved.',
  ]);
  world.sandbox.write('Needs_Action/INVOICE_client.md', '# Invoice\n');
  const run = await world.run(`/dacapo:ralph Handle the invoice ${WATCH}`);
  expect(newContext(world.model, 1)).toContain(
    'Needs_Action/INVOICE_client.md has not been moved to Done/ yet',
  );
  expect(world.model.requests).toHaveLength(3);
  expect(notices(run).at(-1)).toContain('completed after 2 iterations: ');
  expect(world.status().gates).toMatchObject([{ gate: 'moved', holds: true }]);
});

test('a renamed file counts, and any one gate is enough where that was asked for', async () => {
  const world = await makeWorld([
    shell('mkdir -p Done && mv Needs_Action/INVOICE_client.md Done/paid.md'),
    'Paid, and moved.',
  ]);
  world.sandbox.write('Needs_Action/INVOICE_client.md', '# Invoice\n');
  const run = await world.run(
    `/dacapo:ralph Handle the invoice ${WATCH} --completion-promise TASK_COMPLETE --require any`,
  );
  expect(notices(run).at(-1)).toContain('completed after 1 iteration: one of its gates holds');
});

test('a watched file that does not exist is warned about at the start', async () => {
  const world = await makeWorld([shell('mkdir -p Done && touch Done/INVOICE_client.md'), 'Written.']);
  const run = await world.run(`/dacapo:ralph Write the invoice ${WATCH}`);
  expect(notices(run).join('\n')).toContain('Note: Needs_Action/INVOICE_client.md does not exist');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

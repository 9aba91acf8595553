/** Commands that only look mean the loop that changed last, even if an older one is still open. */
import { expect, test } from 'vitest';
import { makeBox } from '../../surfaces/cli/box.ts';

test('explain, report and logs without an id: not the older loop that still waits, but the one that ended just now', () => {
  const box = makeBox();
  const id = (name: string): string => {
    const made = box.run(['ready', `Task ${name}`, '--name', name, '--json']);
    return String(JSON.parse(made.stdout).id);
  };
  const [waits, ended] = [id('waits'), id('ended')];
  box.run(['cancel', ended]);
  for (const command of ['explain', 'logs', 'report']) {
    const { stdout } = box.run([command, '--json']);
    expect([command, stdout.includes(ended), stdout.includes(waits)]).toEqual([command, true, false]);
  }
});

import { expect, test, vi } from 'vitest';
import { notes } from '#surfaces/cli/terminal/output.ts';
import { failFor } from '#surfaces/cli/terminal/terminal.ts';

/** The lines that a refusal prints. */
function printed(message: string): string {
  const write = vi.spyOn(notes.stream(), 'write').mockReturnValue(true);
  try {
    failFor({ ok: false, code: 'host', message, next: 'Update it.' });
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

test.each([
  'Qwen Code 0.1.0 is older than 0.24.4.',
  'Codex 0.1.0 is older.',
  'Claude Code is not logged in.',
])('the name of a host keeps its capital: %s', (message) =>
  expect(printed(message)).toContain(`error: ${message}`),
);

test('any other sentence follows in lower case', () => {
  expect(printed('Nothing was found.')).toContain('error: nothing was found.');
});

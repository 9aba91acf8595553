/** Which of a host's own tries are hopeless, and how many of them are waited for. */
import { expect, test } from 'vitest';
import { watchForDoom } from '../../src/fresh/hopeless.ts';
import type { StreamEvent } from '../../src/hosts/stream.ts';

function retry(attempt: number, hopeless: Extract<StreamEvent, { is: 'retry' }>['hopeless']): StreamEvent {
  return {
    is: 'retry',
    attempt,
    most: 10,
    delayMs: 500,
    status: 401,
    why: 'authentication_failed',
    hopeless,
  };
}

test('a login that is refused three times is refused for good', () => {
  const doom = watchForDoom();
  doom.hear(retry(1, 'auth'));
  doom.hear(retry(2, 'auth'));
  expect(doom.signal.aborted).toBe(false);
  expect(doom.why()).toBeNull();
  doom.hear(retry(3, 'auth'));
  doom.hear(retry(4, 'auth'));
  expect(doom.signal.aborted).toBe(true);
  expect(doom.why()).toEqual({
    is: 'fatal',
    kind: 'auth',
    why: '401 authentication_failed, at 3 tries in a row',
  });
});

test('what may pass is left to the host', () => {
  const doom = watchForDoom();
  for (let attempt = 1; attempt <= 10; attempt++) doom.hear(retry(attempt, null));
  expect(doom.signal.aborted).toBe(false);
});

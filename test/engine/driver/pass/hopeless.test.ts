/** Which of a host's own tries are hopeless, and how many of them are waited for. */
import { expect, test } from 'vitest';
import { watchForHopeless } from '#engine/driver/pass/watches.ts';
import type { StreamEvent } from '#hosts/port/stream.ts';

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
  const hopeless = watchForHopeless();
  hopeless.hear(retry(1, 'auth'));
  hopeless.hear(retry(2, 'auth'));
  expect(hopeless.signal.aborted).toBe(false);
  expect(hopeless.why()).toBeNull();
  hopeless.hear(retry(3, 'auth'));
  hopeless.hear(retry(4, 'auth'));
  expect(hopeless.signal.aborted).toBe(true);
  expect(hopeless.why()).toEqual({
    is: 'fatal',
    kind: 'auth',
    why: '401 authentication_failed, 3 times in a row',
  });
});

test('what may pass is left to the host', () => {
  const hopeless = watchForHopeless();
  for (let attempt = 1; attempt <= 10; attempt++) hopeless.hear(retry(attempt, null));
  expect(hopeless.signal.aborted).toBe(false);
});

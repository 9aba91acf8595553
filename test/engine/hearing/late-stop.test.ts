/** Hosts that do not send the last message with a stop, or call for one after a failed turn as well. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { StopRest } from '#hosts/port/arrival.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let asked: number;
beforeEach(() => {
  stage = new Stage();
  asked = 0;
});

function stop(rest: StopRest) {
  return stage.stop('', {
    rest: async () => {
      asked += 1;
      return rest;
    },
  });
}

describe('a stop that is not sent whole', () => {
  it('is judged by the message that is read for it', async () => {
    await stage.start('Fix.');
    expect((await stop({ message: 'Working.', failed: null })).is).toBe('continue');
    await stop({ message: '<promise>COMPLETE</promise>', failed: null });
    expect(stage.loop().status).toEqual({ is: 'completed' });
  });

  it('is not read where the session has no loop', async () => {
    expect(await stop({ message: 'Hello.', failed: null })).toEqual({ is: 'silence' });
    expect(asked).toBe(0);
  });

  it('never continues a turn that failed', async () => {
    await stage.start('Fix.');
    const failed = { error: 'authentication_failed', detail: '401', fatal: 'auth' as const };
    const answer = await stop({ message: '', failed });
    expect(answer.is).not.toBe('continue');
    expect(stage.loop().status.is).not.toBe('running');
  });
});

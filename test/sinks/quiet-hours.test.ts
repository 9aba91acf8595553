import { describe, expect, it } from 'vitest';
import { readQuietHours } from '../../src/flags/user-config/notify-fields.ts';
import { quietUntil } from '../../src/sinks/route.ts';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 0, day, hour, minute);
const hours = (text: string) => {
  const read = readQuietHours(text);
  if (read === null) throw new Error(text);
  return read;
};

describe('quiet hours', () => {
  it.each([
    [at(5, 21, 59), null],
    [at(5, 22), at(6, 7)],
    [at(5, 23, 59), at(6, 7)],
    [at(6, 0), at(6, 7)],
    [at(6, 6, 59), at(6, 7)],
    [at(6, 7), null],
  ])('22:00-07:00 at %s end at %s', (now, end) => expect(quietUntil(hours('22:00-07:00'), now)).toEqual(end));

  it.each([
    [at(5, 11, 59), null],
    [at(5, 12), at(5, 13, 30)],
    [at(5, 13, 30), null],
  ])('12:00-13:30 at %s end at %s', (now, end) =>
    expect(quietUntil(hours('12:00 - 13:30'), now)).toEqual(end),
  );

  it('ends on the next day, at the end of a month too', () => {
    expect(quietUntil(hours('22:00-07:00'), new Date(2026, 0, 31, 23))).toEqual(new Date(2026, 1, 1, 7));
  });

  it.each(['', '22-07', '22:00', '24:00-07:00', '22:60-07:00', '22:00-22:00', 'night'])(
    '%j is no span of time',
    (text) => expect(readQuietHours(text)).toBeNull(),
  );
});

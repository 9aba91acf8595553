/** Updates of a full screen: only what differs is written. */
import { describe, expect, it } from 'vitest';
import { BLANK, ENTER, LEAVE, redraw } from '#surfaces/screen/terminal/writer.ts';

const CSI = '\u001B[';
const two = { lines: ['one', 'two'], width: 10, height: 3 };

describe('an update', () => {
  it('draws everything at first and after a resize', () => {
    expect(redraw(BLANK, two)).toContain(`${CSI}2J${CSI}1;1Hone${CSI}K${CSI}2;1Htwo${CSI}K`);
    expect(redraw(two, { ...two, width: 12 })).toContain(`${CSI}2J`);
  });

  it('writes nothing where nothing changed', () => {
    expect(redraw(two, two)).toBe('');
  });

  it('writes the rows that differ, in one piece', () => {
    const bytes = redraw(two, { ...two, lines: ['one', 'TWO'] });
    expect(bytes).toContain(`${CSI}2;1HTWO`);
    expect(bytes).not.toContain('one');
    expect(bytes.startsWith(`${CSI}?2026h`)).toBe(true);
    expect(bytes.endsWith(`${CSI}?2026l`)).toBe(true);
  });

  it('erases rows that are gone, and draws none below the window', () => {
    expect(redraw(two, { ...two, lines: ['one'] })).toContain(`${CSI}2;1H${CSI}K`);
    expect(redraw(BLANK, { lines: ['1', '2', '3', '4'], width: 5, height: 3 })).not.toContain('4;1H');
  });
});

it('what is entered is left', () => {
  for (const mode of ENTER.matchAll(/\?(\d+)h/g)) expect(LEAVE).toContain(`?${mode[1]}l`);
  expect(LEAVE).toContain(`${CSI}?25h`);
});

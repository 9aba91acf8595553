/** Colours for a terminal. */

/** `isOn`: otherwise all text stays as it is. */
export function createPaint(isOn: boolean) {
  const codes = (begin: number, end: number) => (isOn ? between(begin, end) : (text: string) => text);
  return {
    isOn,
    bold: codes(1, BRIGHTNESS_END),
    dim: codes(2, BRIGHTNESS_END),
    red: codes(31, COLOUR_END),
    green: codes(32, COLOUR_END),
    yellow: codes(33, COLOUR_END),
    magenta: codes(35, COLOUR_END),
    cyan: codes(36, COLOUR_END),
    inverse: codes(7, 27),
  };
}

/** It ends what is bold and what is dim. */
const BRIGHTNESS_END = 22;
const COLOUR_END = 39;

/** Text in it that is painted already ends its own paint, so ours begins again behind that. */
function between(begin: number, end: number) {
  const [on, off] = [`\u001B[${begin}m`, `\u001B[${end}m`];
  const again = end === BRIGHTNESS_END ? off + on : on;
  return (text: string): string => on + text.replaceAll(off, again) + off;
}

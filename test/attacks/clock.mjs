/** Loaded into a process before it begins (`--import`): its clock is off by CLOCK_OFF milliseconds. */
const off = Number(process.env['CLOCK_OFF'] ?? 0);

if (off !== 0) {
  const Real = Date;
  const now = () => Real.now() + off;
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length === 0) super(now());
      else super(...given);
    }
    static now() {
      return now();
    }
  };
}

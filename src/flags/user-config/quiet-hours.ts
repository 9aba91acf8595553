/** The hours in which nobody is disturbed, as a user writes them. */

/** Minutes after midnight. `to` may be smaller: then the hours go past midnight. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

const HOURS = /^(?<h1>[01]?\d|2[0-3]):(?<m1>[0-5]\d)-(?<h2>[01]?\d|2[0-3]):(?<m2>[0-5]\d)$/;

/** Null: it is not written as "22:00-07:00", or has no length. */
export function readQuietHours(text: string): QuietHours | null {
  const { h1, m1, h2, m2 } = HOURS.exec(text.replace(/\s/g, '').replace('–', '-'))?.groups ?? {};
  if (h1 === undefined) return null;
  const from = Number(h1) * 60 + Number(m1);
  const to = Number(h2) * 60 + Number(m2);
  return from === to ? null : { from, to };
}

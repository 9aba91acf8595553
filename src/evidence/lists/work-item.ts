/** One work item of a list, and the list as it was read. */
import { hash } from '#base/hash.ts';
import { harmless, headOf, oneLine } from '#base/words/sanitize.ts';

export type WorkItem = Readonly<ReturnType<typeof itemOf>>;

export type ItemList =
  | { readonly ok: true; readonly items: readonly WorkItem[]; readonly notes: readonly string[] }
  | NoList;

export interface NoList {
  readonly ok: false;
  readonly why: string;
  /** The list exists, and its content can be corrected. */
  readonly broken?: boolean;
}

const MAX_ID_CHARS = 80;
const MAX_TITLE_CHARS = 200;
/** It must still fit into one message together with the prompt of the list. */
const MAX_BODY_CHARS = 3_000;

/** An item without an id is identified by its text, so a changed text makes another item. */
export function itemOf(id: string | null, title: string, body: string) {
  const short = oneLine(title, MAX_TITLE_CHARS);
  const given = id === null ? '' : oneLine(id, MAX_ID_CHARS);
  // The body keeps what a shortened title does not show.
  const rest = short === title.trim() ? body : [title, body].filter(Boolean).join('\n\n');
  return {
    id: given === '' || given !== id?.trim() ? hash(`${id ?? ''} ${title}`).slice(0, 12) : given,
    title: given === '' || short === given ? short : `${given}: ${short}`,
    body: harmless(headOf(rest, MAX_BODY_CHARS)).trim(),
  };
}

export function distinct(items: readonly WorkItem[], notes: readonly string[] = []): ItemList {
  const seen = new Set<string>();
  return { ok: true, items: items.filter(({ id }) => !seen.has(id) && seen.add(id)), notes };
}

export function no(name: string, why: string): NoList {
  return { ok: false, why: `${oneLine(name, 120)} ${oneLine(why, 300)}`, broken: true };
}

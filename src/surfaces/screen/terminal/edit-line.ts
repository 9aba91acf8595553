/** The one line in which a person types: what each key makes of it, and how it is drawn. Pure. */
import { forScreen } from './clean-text.ts';
import { clusters, widthOf } from './width.ts';
import type { KeyPress, KeyName } from '../watch/keys.ts';
import { part, type RowPart } from './lines.ts';

export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

/** Longer words belong in a file that the agent can read. */
const MAX_LINE_CHARS = 4_000;

export const EMPTY_LINE: EditedLine = { text: '', cursor: 0 };

/** `sent`, `left`: the person is done with the line. Null: the key means nothing here. */
export function editLine({ text, cursor }: EditedLine, key: KeyPress): EditedLine | 'sent' | 'left' | null {
  if (key.is !== 'key') {
    // A paste may hold several lines; the line here is one.
    const more = forScreen(key.text).replace(/\s+/g, ' ');
    const next = `${text.slice(0, cursor)}${more}${text.slice(cursor)}`.slice(0, MAX_LINE_CHARS);
    return { text: next, cursor: Math.min(next.length, cursor + more.length) };
  }
  // One step goes over a whole character, of whatever length.
  const back = cursor - (Array.from(clusters(text.slice(0, cursor))).at(-1) ?? '').length;
  const kept = text.slice(0, cursor).replace(/\S*\s*$/, '');
  const edits: Readonly<Partial<Record<KeyName, EditedLine | 'sent' | 'left'>>> = {
    enter: 'sent',
    escape: 'left',
    left: { text, cursor: back },
    right: { text, cursor: after(text, cursor) },
    home: { text, cursor: 0 },
    'ctrl-a': { text, cursor: 0 },
    end: { text, cursor: text.length },
    'ctrl-e': { text, cursor: text.length },
    backspace: { text: text.slice(0, back) + text.slice(cursor), cursor: back },
    delete: { text: text.slice(0, cursor) + text.slice(after(text, cursor)), cursor },
    'ctrl-k': { text: text.slice(0, cursor), cursor },
    'ctrl-u': { text: text.slice(cursor), cursor: 0 },
    'ctrl-w': { text: kept + text.slice(cursor), cursor: kept.length },
  };
  return edits[key.name] ?? null;
}

/** The end of what was typed stays in sight. */
export function lineParts({ text, cursor }: EditedLine, room: number): RowPart[] {
  const from = Math.max(0, widthOf(text.slice(0, cursor)) - room);
  const [under = ' '] = clusters(text.slice(cursor));
  const rest = text.slice(cursor + (cursor < text.length ? under.length : 0));
  return [
    part(' > ', 'cyan'),
    part(text.slice(Math.min(from, cursor), cursor)),
    part(under, 'inverse'),
    part(rest),
  ];
}

function after(text: string, cursor: number): number {
  const [next = ''] = clusters(text.slice(cursor));
  return cursor + next.length;
}

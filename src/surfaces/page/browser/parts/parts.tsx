/** The parts that several views share: status, gates, progress, an empty place. */
import { h, type ComponentChildren as Content, type JSX } from 'preact';
import type { CardGate, LoopCard } from '#surfaces/page/wire.ts';
import { ago, clock, fullTime } from '../data/format.ts';
import { Icon, type IconName } from './icons.tsx';
import { now } from '../data/state.ts';
import type { RefusedCall } from '../data/api.ts';

/** In place of what the browser would do by itself. */
export function instead(act: () => unknown) {
  return (event: Event): void => {
    event.preventDefault();
    act();
  };
}

export function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

export function StatusPill({ card }: { readonly card: LoopCard }) {
  const word = card.requests.length > 0 ? 'needs you' : card.status;
  return <span class={`pill ${card.tone}`}>{capital(word)}</span>;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A word such as a file or a command keeps its case. */
export function sentence(words: string): string {
  return /^[a-z]+(?:\s|$)/.test(words) && !words.startsWith('dacapo') ? capital(words) : words;
}

type RichProps = Readonly<{ words: string; as?: 'p' | 'span' | 'li'; look?: string }>;

/** What stands between backticks is code. */
export function Rich({ words, as, look }: RichProps) {
  const parts = words.split(/(?<!`)`([^`\n]+)`(?!`)/);
  const content = parts.map((part, k) => (k % 2 === 1 ? <code key={k}>{part}</code> : part));
  return as === undefined ? <>{content}</> : h(as, { class: look }, content);
}

const GATES: Readonly<Record<CardGate['is'], readonly [IconName, string]>> = {
  held: ['check', 'holds'],
  failing: ['cross', 'does not hold'],
  open: ['circle', 'not proven yet'],
};

export function gateStanding(holds: boolean | null): CardGate['is'] {
  return holds === null ? 'open' : holds ? 'held' : 'failing';
}

export function GateIcon({ is }: Pick<CardGate, 'is'>) {
  const [icon, words] = GATES[is];
  return (
    <span class={is}>
      <Icon name={icon} />
      <span class="hidden">{words}: </span>
    </span>
  );
}

type BarProps = Readonly<{ part: number; whole: number; label: string; isDone?: boolean }>;

export function Bar({ part, whole, label, isDone = false }: BarProps) {
  const percent = whole <= 0 ? 0 : Math.min(100, (100 * part) / whole);
  const state = isDone ? 'done' : percent >= 90 ? 'warning' : '';
  return (
    <div class={`bar ${state}`} role="progressbar" aria-label={label} aria-valuenow={Math.round(percent)}>
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}

type TimeProps = Readonly<{ at: string; look?: string }>;

export function Ago({ at, look }: TimeProps) {
  return <Time at={at} look={look} words={ago(at, now.value)} />;
}

export function Clock({ at, look }: TimeProps) {
  return <Time at={at} look={look} words={clock(at)} />;
}

function Time({ at, look, words }: Readonly<{ at: string; look: string | undefined; words: string }>) {
  return (
    <time class={look} dateTime={at} title={fullTime(at)}>
      {words}
    </time>
  );
}

type EmptyProps = Readonly<{ icon: IconName; title: string; children?: Content }>;

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="stack tight empty">
      <span class="card pad">
        <Icon name={icon} />
      </span>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function NotYet({ error }: { readonly error: RefusedCall | null }) {
  return error === null ? (
    <p class="loading">Loading …</p>
  ) : (
    <p class="notice" role="alert">
      {error.message} {error.next}
    </p>
  );
}

type CardProps = Readonly<{ title: Content; aside?: Content; children: Content }>;

export function Card({ title, aside, children }: CardProps) {
  return (
    <section class="card">
      <div class="line card-head">
        <h2>{title}</h2>
        {aside !== undefined && <span class="end faint small">{aside}</span>}
      </div>
      {children}
    </section>
  );
}

/** Names and what they are. A fact that is null is left out. */
export function Facts({ rows }: Readonly<{ rows: readonly (readonly [Content, Content])[] }>) {
  return (
    <dl class="def">
      {rows.map(
        ([name, words]) =>
          words !== null && (
            <>
              <dt class="faint">{name}</dt>
              <dd>{words}</dd>
            </>
          ),
      )}
    </dl>
  );
}

type TableProps = Readonly<{ title: string; head: readonly string[]; rows: readonly (readonly Content[])[] }>;

/** Its first column is text, the others are figures or marks. Without rows it is not there. */
export function Table({ title, head, rows }: TableProps) {
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr class="faint fine">
              {head.map((words) => (
                <th key={words} scope="col">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, k) => (
                  <td key={head[k]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

/** `bar`: how much of a limit is used; null: there is no limit. */
type TileProps = Readonly<{ name: string; bar?: JSX.Element | null; under?: Content; children: Content }>;

export function Tile({ name, bar, under = bar === null ? 'no limit' : undefined, children }: TileProps) {
  return (
    <div class="tile">
      <dt class="soft small">{name}</dt>
      <dd>{children}</dd>
      {bar && <dd class="bar-holder">{bar}</dd>}
      {under !== undefined && <dd class="faint small">{under}</dd>}
    </div>
  );
}

/** Beside the timeline: why the loop stands as it does, its gates, and a word for the next iteration. */
import { useState } from 'preact/hooks';
import type { CardGate, LoopCard, LoopDetail, Tested } from '#surfaces/page/wire.ts';
import { postAction, isBusy } from '../parts/toasts.tsx';
import { loopPath } from '../data/api.ts';
import { Icon } from '../parts/icons.tsx';
import { capital, Card, GateIcon, instead, Rich, sentence } from '../parts/parts.tsx';

export interface ShownLoop {
  readonly card: LoopCard;
  readonly detail: LoopDetail | null;
}

export function Aside({ card, detail }: ShownLoop) {
  return (
    <aside class="stack" aria-label="Status">
      <div class="stack aside-pair">
        <Why card={card} detail={detail} />
        <Gates card={card} tested={detail?.tested ?? []} />
      </div>
      {!card.hasEnded && <Steer id={card.id} />}
      {detail !== null && detail.endsWhen.length > 0 && (
        <details class="card">
          <summary class="pad small strong">What would end it</summary>
          <ul class="card-body stack tight soft small words">
            {detail.endsWhen.map((words) => (
              <Rich as="li" key={words} words={sentence(words)} />
            ))}
          </ul>
        </details>
      )}
    </aside>
  );
}

function Why({ card, detail }: ShownLoop) {
  const verdict = detail?.last?.verdict ?? null;
  const reasons = verdict?.reasons ?? [];
  const isGoing = card.tone === 'working' || card.tone === 'waiting';
  const why = verdict?.rule.says ?? 'No stop of the agent has been judged yet.';
  return (
    <Card
      title={card.hasEnded ? 'Why it ended' : card.status === 'waiting' ? 'Why it waits' : 'Why it continues'}
      aside={
        verdict !== null && (
          <span title={verdict.rule.says}>
            rule {verdict.rule.number}, {verdict.rule.name}
          </span>
        )
      }
    >
      <div class="card-body stack tight">
        {reasons.map(({ words }) => (
          <p class="marked" key={words}>
            <span class="failing">
              <Icon name="cross" />
            </span>
            <Rich as="span" look="words" words={sentence(words)} />
          </p>
        ))}
        <Rich
          as="p"
          look={verdict === null || reasons.length > 0 ? 'soft' : ''}
          words={card.hasEnded && reasons.length === 0 ? capital(card.says) : why}
        />
        {!isGoing && <Rich as="p" look="faint small" words={sentence(card.next)} />}
      </div>
    </Card>
  );
}

type GatesProps = Readonly<{ card: LoopCard; tested: readonly Tested[] }>;

function Gates({ card: { gates, asksBefore }, tested }: GatesProps) {
  return (
    <Card title="Gates" aside="done when they hold">
      <ul class="card-body gate-list">
        {gates.map((gate) => (
          <li class="marked" key={`${gate.kind} ${gate.wanted}`}>
            <GateIcon is={gate.is} />
            <div class="words">
              <p>{gate.kind === 'check' ? <code>{gate.wanted}</code> : wantedOf(gate)}</p>
              <Rich as="p" look="faint small" words={sayGate(gate, tested)} />
            </div>
          </li>
        ))}
      </ul>
      {asksBefore.length > 0 && (
        <div class="card-body stack tight approves">
          <p class="faint small">You approve these calls before they run</p>
          <ul class="wrap">
            {asksBefore.map((rule) => (
              <li class="chip" key={rule}>
                <code class="one-line">{rule === 'starter' ? 'the starter rules' : rule}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}

/** A promise is shown to the letter. */
function wantedOf({ kind, wanted }: CardGate): string {
  if (kind === 'promise' || kind === 'signal') return wanted;
  return sentence(kind === 'confirmation' ? 'you confirm it' : wanted);
}

/** The last stop may have run no check. Then the result before it still tells something. */
function sayGate({ kind, is, wanted, seen }: CardGate, tested: readonly Tested[]): string {
  if (seen !== null) return seen;
  const before = tested.find(({ command }) => command === wanted);
  if (kind === 'check' && before !== undefined)
    return before.iteration === null
      ? `last time: ${before.says}`
      : `${before.says} in iteration ${before.iteration}`;
  if (kind === 'confirmation') return 'you are asked when the other gates hold';
  return is === 'open' ? 'not tested yet' : kind;
}

function Steer({ id }: { readonly id: string }) {
  const [words, setWords] = useState('');
  const path = loopPath(id, '/steer');
  const send = async () => {
    if ((await postAction(path, { words: words.trim() })) !== null) setWords('');
  };
  return (
    <Card title={<label for="steer">Steer</label>}>
      <form class="card-body stack tight" onSubmit={instead(send)}>
        <textarea
          id="steer"
          class="field"
          rows={3}
          required
          maxLength={4000}
          placeholder="A word for the next iteration"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey))
              event.currentTarget.form?.requestSubmit();
          }}
        />
        <button class="button end" disabled={words.trim() === '' || isBusy(path)}>
          <Icon name="arrow" /> Send
        </button>
      </form>
    </Card>
  );
}

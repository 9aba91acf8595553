/** Beside the timeline: why the loop stands as it does, its gates, and a word for the next iteration. */
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { CardGate, LoopCard, LoopDetail, Tested } from '../../wire.ts';
import { actOn, isBusy } from '../data/act.ts';
import { loopPath } from '../data/api.ts';
import { Icon } from '../parts/icons.tsx';
import { capital, GateIcon, Rich, sentence } from '../parts/parts.tsx';

export function Aside({
  card,
  detail,
}: {
  readonly card: LoopCard;
  readonly detail: LoopDetail | null;
}): JSX.Element {
  return (
    <aside class="stack" aria-label="How it stands">
      <div class="aside-pair stack">
        <Why card={card} detail={detail} />
        <Gates card={card} tested={detail?.tested ?? []} />
      </div>
      {!card.hasEnded && <Steer id={card.id} />}
      {detail !== null && detail.endsWhen.length > 0 && (
        <details class="card">
          <summary class="card-head">
            <h2>What would end it</h2>
          </summary>
          <ul class="card-body ends">
            {detail.endsWhen.map((words) => (
              <li key={words}>
                <Rich words={sentence(words)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  );
}

function Why({ card, detail }: { readonly card: LoopCard; readonly detail: LoopDetail | null }): JSX.Element {
  const verdict = detail?.last?.verdict ?? null;
  const isGoing = card.tone === 'working' || card.tone === 'waiting';
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          {card.hasEnded ? 'Why it ended' : card.status === 'waiting' ? 'Why it waits' : 'Why it goes on'}
        </h2>
        {verdict !== null && (
          <span class="end faint" title={verdict.rule.says}>
            rule {verdict.rule.number}, {verdict.rule.name}
          </span>
        )}
      </div>
      <div class="card-body why">
        {verdict === null ? (
          <p class="soft">
            <Rich words={card.hasEnded ? capital(card.says) : 'No stop of the agent has been judged yet.'} />
          </p>
        ) : (
          <>
            {verdict.reasons.length === 0 && (
              <p>
                <Rich words={card.hasEnded ? capital(card.says) : verdict.rule.says} />
              </p>
            )}
            {verdict.reasons.length > 0 && (
              <ul>
                {verdict.reasons.map((words) => (
                  <li key={words}>
                    <span class="failing">
                      <Icon name="cross" />
                    </span>
                    <span>
                      <Rich words={sentence(words)} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
            {verdict.reasons.length > 0 && <p class="soft">{verdict.rule.says}</p>}
          </>
        )}
        {!isGoing && (
          <p class="faint">
            <Rich words={sentence(card.next)} />
          </p>
        )}
      </div>
    </section>
  );
}

function Gates({
  card: { gates, asksBefore },
  tested,
}: {
  readonly card: LoopCard;
  readonly tested: readonly Tested[];
}): JSX.Element {
  return (
    <section class="card">
      <div class="card-head">
        <h2>Gates</h2>
        <span class="end faint">done when they hold</span>
      </div>
      <ul class="card-body gate-list">
        {gates.map((gate) => (
          <li key={`${gate.kind} ${gate.wanted}`}>
            <GateIcon is={gate.is} />
            <div>
              <p>{gate.kind === 'check' ? <code>{gate.wanted}</code> : wantedOf(gate)}</p>
              <p class="faint">
                <Rich words={sayGate(gate, tested)} />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {asksBefore.length > 0 && (
        <div class="card-body approves">
          <p class="faint">You approve these calls before they run</p>
          <ul class="chips">
            {asksBefore.map((rule) => (
              <li class="chip" key={rule}>
                <code class="one-line">{rule === 'starter' ? 'the starter rules' : rule}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
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

function Steer({ id }: { readonly id: string }): JSX.Element {
  const [words, setWords] = useState('');
  const send = async () => {
    if ((await actOn(id, 'steer', { words: words.trim() })) !== null) setWords('');
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          <label for="steer">Steer</label>
        </h2>
      </div>
      <form
        class="card-body steer"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
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
        <button class="button" disabled={words.trim() === '' || isBusy(loopPath(id, '/steer'))}>
          <Icon name="arrow" /> Send
        </button>
      </form>
    </section>
  );
}

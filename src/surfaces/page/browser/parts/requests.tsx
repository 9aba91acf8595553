/** A request to the person: what, why, and the buttons that answer it. */
import { useState } from 'preact/hooks';
import type { LoopCard, Request } from '#surfaces/page/wire.ts';
import { postAction, isBusy } from './toasts.tsx';
import { coarse, folderName } from '../data/format.ts';
import { Icon } from './icons.tsx';
import { Ago, instead, Rich } from './parts.tsx';
import { loopPath } from '../data/api.ts';
import { hrefOf } from '../data/route.ts';
import { now } from '../data/state.ts';

const KINDS: Readonly<Record<Request['kind'], string>> = {
  approval: 'Approval needed',
  question: 'The agent asks',
  completion: 'Is it done?',
  acceptance: 'Do you accept it as done?',
};

type RequestCardProps = Readonly<{ card: LoopCard; request: Request; linked?: boolean }>;

export function RequestCard({ card, request, linked = false }: RequestCardProps) {
  const { id, kind, what, why, askedAt, expiresAt } = request;
  const hint = kind === 'question' ? 'Your answer' : 'A note for the agent (optional)';
  const [words, setWords] = useState('');
  const path = (how: string) => loopPath(card.id, `/requests/${encodeURIComponent(id)}/${how}`);
  const isWaiting = ['approve', 'reject', 'answer'].some((how) => isBusy(path(how)));
  const answer = (how: string) => void postAction(path(how), { words: words.trim() });
  const isQuestion = kind === 'question';
  return (
    <article class="card pad stack request" aria-label={`${KINDS[kind]}: ${what}`} data-request={id}>
      <header class="wrap soft small">
        <span class="pill needs-you">{KINDS[kind]}</span>
        {linked && (
          <a class="one-line" href={hrefOf({ is: 'loop', id: card.id, tab: 'timeline' })}>
            {folderName(card.belongsTo)} / {card.task}
          </a>
        )}
        <span class="faint">
          asked <Ago at={askedAt} />, expires in {coarse(Date.parse(expiresAt) - now.value)}
        </span>
      </header>
      <pre class="sunk pre">{what}</pre>
      {why !== '' && <Rich as="p" look="soft words pre request-why" words={why} />}
      <form class="wrap" onSubmit={instead(() => answer(isQuestion ? 'answer' : 'approve'))}>
        <input
          class="field"
          aria-label={hint}
          placeholder={hint}
          value={words}
          required={isQuestion}
          maxLength={4000}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button class="button primary" disabled={isWaiting}>
          <Icon name={isQuestion ? 'arrow' : 'check'} /> {isQuestion ? 'Answer' : 'Approve'}
        </button>
        {!isQuestion && (
          <button class="button danger" type="button" disabled={isWaiting} onClick={() => answer('reject')}>
            <Icon name="cross" /> Reject
          </button>
        )}
      </form>
    </article>
  );
}

/** The head of a loop's view: what it is, how it stands, and what a person can do to it. */
import { useState } from 'preact/hooks';
import type { LoopCard } from '#surfaces/page/wire.ts';
import { postAction, isBusy } from '../parts/toasts.tsx';
import { loopPath } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { folderName } from '../data/format.ts';
import { Icon } from '../parts/icons.tsx';
import { capital, Rich, StatusPill } from '../parts/parts.tsx';
import { hrefOf } from '../data/route.ts';

export function Head({ card }: { readonly card: LoopCard }) {
  return (
    <div class="wrap loop-head">
      <div class="stack tight">
        <nav class="line faint small" aria-label="Place">
          <a href={hrefOf({ is: 'overview' })}>Loops</a>
          <span aria-hidden="true">/</span>
          <span title={card.project}>{folderName(card.belongsTo)}</span>
          <span aria-hidden="true">/</span>
          <span class="mono one-line">{card.id}</span>
        </nav>
        <h1 class="words clamp">{card.task}</h1>
        <p class="soft small facts">
          <StatusPill card={card} /> <Rich words={factsOf(card).join('\u00a0· ')} />
        </p>
      </div>
      <Acts card={card} />
    </div>
  );
}

/** They are joined by dots that no line begins with. */
function factsOf(card: LoopCard): string[] {
  const { says, hasEnded, driver, fleet, host, model } = card;
  const driven = driver === 'fresh' ? 'a new agent each time' : 'in one session';
  return [
    capital(says.replace(/^is (?:running, )?/, '')),
    ...(hasEnded ? [] : [driven]),
    ...(fleet === null ? [] : [capital(fleet)]),
    model === null ? host : `${host}, ${model}`,
  ];
}

function Acts({ card }: { readonly card: LoopCard }) {
  const [isSure, setIsSure] = useState(false);
  const { id, status, hasEnded } = card;
  const isStill = status === 'paused' || status === 'interrupted';
  return (
    <div class="line">
      <a
        class="button quiet"
        href={loopPath(id, '/report')}
        download={`${id}.html`}
        title="One file to keep or send"
      >
        <Icon name="file" /> Report
      </a>
      {!hasEnded && !isStill && <ActButton id={id} what="pause" />}
      {status !== 'completed' && (hasEnded || isStill) && <ActButton id={id} what="resume" />}
      {!hasEnded && (
        <button class="button danger" onClick={() => setIsSure(true)}>
          <Icon name="stop" /> Cancel
        </button>
      )}
      {isSure && (
        <Dialog
          title="Cancel this loop?"
          close={() => setIsSure(false)}
          foot={
            <>
              <button class="button" onClick={() => setIsSure(false)}>
                Keep it
              </button>
              <button
                class="button danger"
                onClick={() => {
                  setIsSure(false);
                  void postAction(loopPath(id, '/cancel'));
                }}
              >
                Cancel the loop
              </button>
            </>
          }
        >
          <p>
            It ends now, undone. What it has changed in <code>{card.project}</code> stays. You can resume it
            later.
          </p>
        </Dialog>
      )}
    </div>
  );
}

function ActButton({ id, what }: Readonly<{ id: string; what: 'pause' | 'resume' }>) {
  const path = loopPath(id, `/${what}`);
  return (
    <button class="button" disabled={isBusy(path)} onClick={() => void postAction(path)}>
      <Icon name={what === 'pause' ? 'pause' : 'play'} /> {capital(what)}
    </button>
  );
}

/** The head of a loop's view: what it is, how it stands, and what a person can do to it. */
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { LoopCard } from '../../wire.ts';
import { actOn, isBusy } from '../data/act.ts';
import { loopPath } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { folderName } from '../data/format.ts';
import { Icon } from '../parts/icons.tsx';
import { capital, Rich, StatusPill } from '../parts/parts.tsx';
import { hrefOf } from '../data/route.ts';

export function Head({ card }: { readonly card: LoopCard }): JSX.Element {
  return (
    <div class="loop-head">
      <div class="loop-head-words">
        <nav class="crumbs" aria-label="Place">
          <a href={hrefOf({ is: 'overview' })}>Loops</a>
          <span aria-hidden="true">/</span>
          <span title={card.project}>{folderName(card.project)}</span>
          <span aria-hidden="true">/</span>
          <span class="mono one-line">{card.id}</span>
        </nav>
        <h1>{card.task}</h1>
        <div class="facts">
          <StatusPill card={card} />
          <span class="plain">
            <Rich words={capital(card.says.replace(/^is (?:running, )?/, ''))} />
          </span>
          {!card.hasEnded && (
            <span>{card.driver === 'fresh' ? 'a new agent each time' : 'in one session'}</span>
          )}
          {card.model !== null && <span>{card.model}</span>}
        </div>
      </div>
      <Acts card={card} />
    </div>
  );
}

function Acts({ card }: { readonly card: LoopCard }): JSX.Element {
  const [isSure, setIsSure] = useState(false);
  const { id, status, hasEnded } = card;
  const canPause = !hasEnded && status !== 'paused' && status !== 'interrupted';
  const canResume = status !== 'completed' && (hasEnded || status === 'paused' || status === 'interrupted');
  return (
    <div class="acts">
      <a
        class="button quiet"
        href={loopPath(id, '/report')}
        download={`${id}.html`}
        title="One file to keep or send"
      >
        <Icon name="file" /> Report
      </a>
      {canPause && (
        <button
          class="button"
          disabled={isBusy(loopPath(id, '/pause'))}
          onClick={() => void actOn(id, 'pause')}
        >
          <Icon name="pause" /> Pause
        </button>
      )}
      {canResume && (
        <button
          class="button"
          disabled={isBusy(loopPath(id, '/resume'))}
          onClick={() => void actOn(id, 'resume')}
        >
          <Icon name="play" /> Resume
        </button>
      )}
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
                  void actOn(id, 'cancel');
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

/** The iterations of a loop, the newest first: what was claimed, what was proven, how it was judged. */
import { useState } from 'preact/hooks';
import type { LoopCard, StoryPage as Window } from '#surfaces/page/wire.ts';
import { get, loopPath } from '../data/api.ts';
import { TimelineEntry } from './timeline-entry.tsx';
import { Ago, Empty, NotYet, Rich } from '../parts/parts.tsx';
import { useLoaded } from '../data/loop-data.ts';
import { tellError } from '../parts/toasts.tsx';

export function TimelineView({ card }: { readonly card: LoopCard }) {
  const { id } = card;
  const loaded = useLoaded<Window>(id, (before, signal) => refresh(id, before, signal));
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { value: window, error } = loaded.value;
  if (window === null) return <NotYet error={error} />;
  const move = async (to: Promise<Window>) => {
    try {
      loaded.value = { value: await to, error: null };
    } catch (failure) {
      tellError(failure);
    }
  };
  const toggle = (seq: number) => {
    const next = new Set(open);
    if (!next.delete(seq)) next.add(seq);
    setOpen(next);
  };
  const shown = window.entries.toReversed();
  return (
    <>
      {!isLive(window) && (
        <div class="wrap more-row">
          <button class="button" onClick={() => void move(newer(id, window))}>
            Show newer
          </button>
          <button class="button quiet" onClick={() => void move(refresh(id, null))}>
            To the newest
          </button>
          <span class="faint">
            {window.total - endOf(window)} newer of {window.total}
          </span>
        </div>
      )}
      <ol class="timeline" aria-label="Timeline, the newest first">
        {!card.hasEnded && isLive(window) && <Now card={card} />}
        {shown.map((entry) => (
          <TimelineEntry key={entry.seq} id={id} entry={entry} isOpen={open.has(entry.seq)} toggle={toggle} />
        ))}
      </ol>
      {startOf(window) > 0 && (
        <div class="wrap more-row">
          <button class="button" onClick={() => void move(older(id, window))}>
            Show older
          </button>
          <Jump to={(iteration) => void move(page(id, `iteration=${iteration}&most=${PAGE_ENTRIES}`))} />
          <span class="faint">
            {startOf(window)} older of {window.total}
          </span>
        </div>
      )}
      {shown.length === 0 && card.hasEnded && <Empty icon="pulse" title="Nothing happened in this loop" />}
    </>
  );
}

function Now({ card }: { readonly card: LoopCard }) {
  const isWorking = card.tone === 'working';
  return (
    <li class="beat">
      <span class={`beat-node ${isWorking ? 'working' : ''}`}>
        <span class={`dot ${card.tone}`} />
      </span>
      <div class="beat-now">
        <div class="beat-line">
          <span class="strong beat-name">Iteration {card.iteration}</span>
          <span class="soft one-line">
            {card.proving.length > 0
              ? `Checking: ${card.proving.join(', ')}`
              : isWorking
                ? 'at work'
                : card.status}
          </span>
          <Ago at={card.updatedAt} look="end faint small" />
        </div>
        {card.lastWords !== null && <Rich as="p" look="soft words clamp beat-words" words={card.lastWords} />}
      </div>
    </li>
  );
}

function Jump({ to }: { readonly to: (iteration: number) => void }) {
  return (
    <input
      class="field"
      type="number"
      min={1}
      aria-label="Go to an iteration"
      placeholder="Go to …"
      onKeyDown={(event) => {
        const wanted = event.currentTarget.valueAsNumber;
        if (event.key === 'Enter' && Number.isFinite(wanted)) to(wanted);
      }}
    />
  );
}

/* A window on the story: at most a few hundred entries, whether the story has ten or ten thousand. */
const PAGE_ENTRIES = 60;
const MAX_ENTRIES_SHOWN = 240;
/** An iteration changes until it is judged and recorded. */
const ENTRIES_THAT_CHANGE = 4;

function startOf({ entries, total }: Window): number {
  return entries[0]?.seq ?? total;
}

function endOf(window: Window): number {
  return startOf(window) + window.entries.length;
}

/** At the end of the story, so it grows with it. */
function isLive(window: Window): boolean {
  return endOf(window) >= window.total;
}

async function refresh(id: string, before: Window | null, signal?: AbortSignal): Promise<Window> {
  if (before === null) return page(id, `most=${PAGE_ENTRIES}`, signal);
  if (!isLive(before)) {
    const { total } = await page(id, 'most=1', signal);
    return { ...before, total };
  }
  const from = Math.max(startOf(before), endOf(before) - ENTRIES_THAT_CHANGE);
  const { entries, total } = await page(id, `from=${from}&most=500`, signal);
  return {
    entries: [...before.entries.slice(0, from - startOf(before)), ...entries].slice(-MAX_ENTRIES_SHOWN),
    total,
  };
}

async function older(id: string, window: Window): Promise<Window> {
  const { entries, total } = await page(id, `before=${startOf(window)}&most=${PAGE_ENTRIES}`);
  return { entries: [...entries, ...window.entries].slice(0, MAX_ENTRIES_SHOWN), total };
}

async function newer(id: string, window: Window): Promise<Window> {
  const { entries, total } = await page(id, `from=${endOf(window)}&most=${PAGE_ENTRIES}`);
  return { entries: [...window.entries, ...entries].slice(-MAX_ENTRIES_SHOWN), total };
}

function page(id: string, query: string, signal?: AbortSignal): Promise<Window> {
  return get<Window>(loopPath(id, `/story?${query}`), signal);
}

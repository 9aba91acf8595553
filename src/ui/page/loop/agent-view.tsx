/** The agent's work as it happens: what it says, which tools it calls, what failed. All of it is text. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { AgentAct, AgentNews, LoopCard } from '../../wire.ts';
import { get, loopPath, Refused } from '../data/api.ts';
import { clock, fullTime } from '../data/format.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { Empty, Rich } from '../parts/parts.tsx';

const EVERY_MS = 800;
const MOST = 600;
/** So near the end counts as at the end: new lines keep it there. */
const NEAR_PX = 60;

interface Numbered {
  readonly key: number;
  readonly act: AgentAct;
}

export function AgentView({ card }: { readonly card: LoopCard }): JSX.Element {
  const { id, hasEnded } = card;
  const [acts, setActs] = useState<readonly Numbered[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const next = useRef(0);
  useEffect(() => {
    const aborter = new AbortController();
    // The last look is after the end of the loop. It goes on where the looks before it were.
    const look = async (): Promise<void> => {
      try {
        const news = await get<AgentNews>(loopPath(id, `/agent?after=${next.current}`), aborter.signal);
        const first = news.next - news.acts.length;
        // The server counts from the beginning again if it has not been asked for long.
        const isAgain = first < next.current;
        next.current = news.next;
        setError(null);
        setActs((before) =>
          before !== null && news.acts.length === 0
            ? before
            : [
                ...(isAgain ? [] : (before ?? [])),
                ...news.acts.map((act, k) => ({ key: first + k, act })),
              ].slice(-MOST),
        );
      } catch (failure) {
        if (failure instanceof Refused) setError(failure.message);
        else if (!aborter.signal.aborted) throw failure;
      }
    };
    void look();
    const timer = setInterval(() => {
      if (!hasEnded && !document.hidden) void look();
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      aborter.abort();
    };
  }, [id, hasEnded]);
  useEffect(() => {
    const element = box.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }, [acts]);
  if (error !== null) return <p class="notice">{error}</p>;
  if (acts === null) return <p class="loading">Loading …</p>;
  if (acts.length === 0)
    return (
      <div class="card">
        <Empty icon="talk" title="The agent has said nothing yet">
          <p>What it says and does shows up here as it happens.</p>
        </Empty>
      </div>
    );
  return (
    <div
      class="card agent"
      ref={box}
      role="log"
      aria-label="What the agent says and does"
      tabIndex={0}
      onScroll={(event) => {
        const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {acts.map(({ key, act }) => (
        <Act key={key} act={act} />
      ))}
      {card.tone === 'working' && (
        <p class="act-pass">
          <span class="dot working" /> at work
        </p>
      )}
    </div>
  );
}

interface Shown {
  readonly icon: IconName;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

function Act({ act: { at, what } }: { readonly act: AgentAct }): JSX.Element | null {
  const shown = shownOf(what);
  if (shown === null) return null;
  return (
    <div class={`act ${shown.kind}`}>
      <Icon name={shown.icon} />
      <div class="act-text">
        {shown.name !== '' && <code>{shown.name} </code>}
        <Rich words={shown.text} />
      </div>
      {at === null ? (
        <span />
      ) : (
        <time dateTime={at} title={fullTime(at)}>
          {clock(at)}
        </time>
      )}
    </div>
  );
}

function shownOf(what: AgentAct['what']): Shown | null {
  switch (what.is) {
    case 'says':
      return { icon: 'talk', kind: 'says', name: '', text: what.text };
    case 'tool':
      return { icon: 'tool', kind: 'tool', name: what.name, text: what.summary };
    case 'subagent':
      return { icon: 'person', kind: 'tool', name: what.name, text: what.what };
    case 'tool-ended':
      return what.failed ? { icon: 'cross', kind: 'failed', name: '', text: what.text || 'failed' } : null;
    case 'warning':
      return { icon: 'warn', kind: 'tool', name: '', text: what.text };
    case 'host-retry':
      return { icon: 'warn', kind: 'tool', name: '', text: `The host tries again: ${what.why}` };
    case 'fault':
      return { icon: 'warn', kind: 'failed', name: '', text: what.why };
    case 'begins':
    case 'iteration-begins':
    case 'checks-begin':
    case 'check-ended':
    case 'judged':
    case 'waits':
    case 'goes-on':
    case 'usage':
    case 'committed':
    case 'ends':
      return null;
  }
}

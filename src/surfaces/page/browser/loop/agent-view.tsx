/** The agent's work as it happens: what it says, which tools it calls, what failed. All of it is text. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AgentNews, LoopCard, ToldAct } from '#surfaces/page/wire.ts';
import { get, loopPath, RefusedCall } from '../data/api.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { Clock, Empty, NotYet, Rich } from '../parts/parts.tsx';

const EVERY_MS = 800;
const MAX_ACTS_SHOWN = 600;
/** So near the end counts as at the end: new lines keep it there. */
const NEAR_PX = 60;

/** What the agent did, the last part of it, asked for again and again until the loop has ended. */
function useActs(id: string, hasEnded: boolean) {
  const [acts, setActs] = useState<readonly { key: number; act: ToldAct }[] | null>(null);
  const [error, setError] = useState<RefusedCall | null>(null);
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
              ].slice(-MAX_ACTS_SHOWN),
        );
      } catch (failure) {
        if (failure instanceof RefusedCall) setError(failure);
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
  return { acts, error };
}

export function AgentView({ card }: { readonly card: LoopCard }) {
  const { acts, error } = useActs(card.id, card.hasEnded);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const element = box.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }, [acts]);
  if (error !== null || acts === null) return <NotYet error={error} />;
  if (acts.length === 0)
    return (
      <Empty icon="talk" title="The agent has said nothing yet">
        <p>What it says and does shows up here as it happens.</p>
      </Empty>
    );
  return (
    <div
      class="card pad agent"
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
        <p class="line faint fine">
          <span class="dot working" /> at work
        </p>
      )}
    </div>
  );
}

const ICONS: Readonly<Record<ToldAct['kind'], IconName>> = {
  says: 'talk',
  tool: 'tool',
  subagent: 'person',
  failed: 'cross',
  warning: 'warn',
};

function Act({ act: { at, kind, name, text } }: { readonly act: ToldAct }) {
  return (
    <div class={`marked act ${kind}`}>
      <Icon name={ICONS[kind]} />
      <div class={`words pre ${kind === 'says' || kind === 'failed' ? '' : 'soft'}`}>
        {name !== '' && <code>{name} </code>}
        <Rich words={text} />
      </div>
      {at !== null && <Clock at={at} look="faint fine" />}
    </div>
  );
}

/** The frame around every view: navigation, the list of loops, the state of the connection. */
import { Icon } from './parts/icons.tsx';
import { Help } from './views/help.tsx';
import { Filter, LoopList } from './parts/loop-list.tsx';
import { LoopView } from './loop/loop-view.tsx';
import { NoLoops, OverviewView } from './views/overview.tsx';
import { StartView } from './views/start-view.tsx';
import { cards, connection, needing, overview, requests, type Connection } from './data/state.ts';
import { StatsView } from './views/stats-view.tsx';
import { Toasts } from './parts/toasts.tsx';
import { plural } from './data/format.ts';
import { hrefOf, PLACES, route } from './data/route.ts';
import { AS_SYSTEM, isDark, nextTheme, theme } from './theme.ts';
import { Empty, focusOn, instead } from './parts/parts.tsx';

export function App() {
  if (connection.value === 'shut') return <Shut />;
  const waiting = requests.value.length;
  return (
    <>
      {/* The fragment is our route, so the link moves the focus itself. */}
      <a class="button primary hidden" href="#main" onClick={instead(() => focusOn('#main'))}>
        Skip to the content
      </a>
      <div class="shell">
        <Side />
        <main class="main" id="main" tabIndex={-1}>
          <div class="column">
            {overview.value !== null && connection.value === 'off' && (
              <p class="notice warning">The server does not answer. What you see may be old.</p>
            )}
            <View />
          </div>
        </main>
      </div>
      <p class="hidden" role="status" aria-live="polite">
        {waiting > 0 && `${plural(waiting, 'request')} ${waiting === 1 ? 'waits' : 'wait'} for your answer.`}
      </p>
      <Help />
      <Toasts />
    </>
  );
}

function View() {
  if (overview.value === null)
    return (
      <p class="loading" role="status">
        {connection.value === 'off' ? 'The server does not answer. Trying again …' : 'Loading …'}
      </p>
    );
  const here = route.value;
  switch (here.is) {
    case 'overview':
      return <OverviewView />;
    case 'stats':
      return <StatsView />;
    case 'start':
      return overview.value.fleet ? <NoLoops /> : <StartView />;
    case 'loop':
      return <LoopView key={here.id} id={here.id} tab={here.tab} />;
  }
}

function Side() {
  return (
    <header class="side">
      <div class="line strong brand">
        <img src="/icon.svg" alt="" width={24} height={24} />
        Da Capo
        {overview.value?.fleet && (
          <span class="badge end" title={overview.value.fleet}>
            fleet
          </span>
        )}
      </div>
      <nav class="nav" aria-label="Views">
        {PLACES.map(({ is, icon, name }) => (
          <a
            key={is}
            class="line soft medium"
            href={hrefOf({ is })}
            aria-current={route.value.is === is ? 'page' : undefined}
          >
            <Icon name={icon} /> {name}
            {is === 'overview' && <NeedsBadge />}
          </a>
        ))}
      </nav>
      <Filter />
      <nav aria-label="Loops" class="rows-nav">
        <LoopList />
      </nav>
      <footer class="line faint fine side-foot">
        <ConnectionState />
        <span class="end wide">{plural(cards.value.size, 'loop')}</span>
        <ThemeButton />
      </footer>
    </header>
  );
}

function NeedsBadge() {
  const count = needing.value;
  return count === 0 ? null : (
    <span class="badge needs-you end" title="Loops that need you">
      {count}
      <span class="hidden"> {count === 1 ? 'needs' : 'need'} you</span>
    </span>
  );
}

function ThemeButton() {
  const words = theme.value === AS_SYSTEM ? 'as the system says' : theme.value;
  return (
    <button
      class="button quiet icon"
      onClick={nextTheme}
      title={`Colours: ${words}`}
      aria-label={`Change the colours (now ${words})`}
    >
      <Icon name={isDark() ? 'moon' : 'sun'} />
    </button>
  );
}

const CONNECTIONS: Readonly<Record<Connection, { readonly tone: string; readonly words: string }>> = {
  connecting: { tone: 'waiting', words: 'Connecting …' },
  live: { tone: 'done', words: 'Live' },
  off: { tone: 'failed', words: 'Offline, trying again' },
  shut: { tone: 'failed', words: 'Locked' },
};

function ConnectionState() {
  const { tone, words } = CONNECTIONS[connection.value];
  return (
    <span class="line" role="status" aria-label={words} title={words}>
      <span class={`dot ${tone}`} />
      <span class="wide">{words}</span>
    </span>
  );
}

function Shut() {
  return (
    <main class="main">
      <h1 class="hidden">Da Capo</h1>
      <Empty icon="hand" title="This page needs its link">
        <p>
          Each start of <code>dacapo ui</code> prints a link with a fresh key. Open that link in this browser.
        </p>
        <pre class="sunk">dacapo ui</pre>
      </Empty>
    </main>
  );
}

/** The server does not know this browser: the link with the key is needed. */
import type { JSX } from 'preact';
import { Empty } from './parts/parts.tsx';

export function Shut(): JSX.Element {
  return (
    <main class="main">
      <h1 class="hidden">Da Capo</h1>
      <Empty icon="hand" title="This page needs its link">
        <p>
          Each start of <code>dacapo ui</code> prints a link with a fresh key. Open that link in this browser.
        </p>
        <pre class="command">dacapo ui</pre>
      </Empty>
    </main>
  );
}

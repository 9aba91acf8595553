/** The entry of the page: exchanges the key of the link for a cookie, then draws and follows the loops. */
import './page.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { keepPass, post } from './data/api.ts';
import { followKeys } from './views/help.tsx';
import { followRoute } from './data/route.ts';
import { connection } from './data/state.ts';
import { connect, tick } from './data/stream.ts';
import { followTheme } from './theme.ts';
import { followTitle } from './title.ts';

const KEY = /^#key=([\w-]+)$/;

followTheme();
const key = KEY.exec(location.hash)?.[1];
// Out of the address at once, so that the key gets into no bookmark and no screenshot.
if (key !== undefined) history.replaceState(null, '', '#/');
followRoute();
followKeys();
tick();
followTitle();
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
if (key === undefined || (await unlock(key))) await connect();

async function unlock(given: string): Promise<boolean> {
  try {
    const { pass } = await post<{ readonly pass: string }>('/session', { key: given });
    keepPass(pass);
    return true;
  } catch {
    connection.value = 'shut';
    return false;
  }
}

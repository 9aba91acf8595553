/** `dacapo ui`: serves the page with all loops until Ctrl-C, and opens it in the browser. */
import { join } from 'node:path';
import { codeOf } from '#base/shape.ts';
import { makeLeadingPage, openBrowser, openerOf } from '#surfaces/page/open-browser.ts';
import { isLoopback } from '#surfaces/page/server/same-origin.ts';
import { serve, type ServeOptions, type PageServer } from '#surfaces/page/server/serve.ts';
import { CLI, PACKAGE } from '#base/process/package.ts';
import type { Runtime } from '#store/runtime.ts';
import { projectRoot } from '../context.ts';
import { EXIT, fail, printNote, printLines, sayJson, verbatim } from '../terminal/terminal.ts';
import { failPort, readPort } from '../terminal/port.ts';
import type { CommandCall, GivenFlags } from '../command.ts';

const NO_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

type UiOptions = GivenFlags<'open' | 'json' | 'fleet', 'port' | 'database'> & { readonly host: string };
type PageOptions = Pick<UiOptions, 'open' | 'json'> & Pick<ServeOptions, 'host' | 'port' | 'fleet'>;

export async function runUi(options: UiOptions, { runtime }: CommandCall): Promise<number> {
  const { port: given, host, open, json, fleet, database } = options;
  const port = readPort(given);
  if (port === null) return EXIT.usage;
  const own = { port, host, open, json };
  if (!fleet) return showPage(own, runtime);
  const { withMirror } = await import('../fleet/mirror.ts');
  return withMirror({ database, id: undefined }, ({ runtime: ofFleet, name, actions, tellTo }) => {
    tellTo(printNote);
    return showPage({ ...own, fleet: { name, actions } }, ofFleet);
  });
}

async function showPage({ port, host, open, json, fleet }: PageOptions, runtime: Runtime): Promise<number> {
  const sayLink = (url: string, words: string): void => {
    if (json) sayJson({ url });
    else printLines(words, '', verbatim(`  ${url}`), '');
  };
  const served = await serveOrSay({ host, port, ...(fleet && { fleet }) }, runtime, (url) => {
    printNote(
      'warning: the key that opened your browser was used a second time. One of the two was somebody else.',
    );
    sayLink(url, 'All sessions of the page have ended. Open this link to continue:');
  });
  if (typeof served === 'number') return served;
  sayLink(
    served.url,
    `Da Capo shows ${fleet === undefined ? 'your loops' : `the loops of ${fleet.name}`} here:`,
  );
  if (!json) printLines('The link holds a key: do not share it. Ctrl-C closes the page; the loops continue.');
  if (!isLoopback(host))
    printNote(
      `warning: everyone who reaches ${host} and has the link can see and steer your loops, and the ` +
        'connection is not encrypted.',
    );
  const ended = untilStopped();
  const leading = open && !json ? makeLeadingPage(served.onceUrl) : null;
  if (leading !== null && !(await openBrowser(openerOf(leading.address, process.platform, process.env))))
    printNote('No browser could be started: open the link yourself.');
  await ended;
  leading?.remove();
  await served.close();
  return EXIT.ok;
}

async function serveOrSay(
  where: Pick<ServeOptions, 'host' | 'port' | 'fleet'>,
  runtime: Runtime,
  onKeyUsedTwice: (url: string) => void,
): Promise<PageServer | number> {
  const page = join(PACKAGE, 'dist', 'ui');
  try {
    // The person sees what went wrong here; the page says only that something did.
    const options = { ...where, page, cli: CLI, folder: projectRoot(), onKeyUsedTwice };
    return await serve(options, { ...runtime, log: printNote });
  } catch (error) {
    if (NO_ADDRESS.includes(codeOf(error)))
      return fail(
        `${JSON.stringify(where.host)} is not an address of this machine.`,
        'leave --host out for 127.0.0.1.',
      );
    return failPort(error, where.port);
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

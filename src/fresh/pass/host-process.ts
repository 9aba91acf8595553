/** The process of a host for one pass. The watchdog knows of it from before its start until no process of it is left. */
import { spawn, type ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Environment } from '../../hosts/arrival.ts';
import type { HeadlessHost, Pass, PassEnd } from '../../hosts/headless.ts';
import { MARK_VARIABLE, markOf } from '../../process/descendants.ts';
import { familyOf } from '../../process/family.ts';
import type { Watchdog } from '../../process/watchdog.ts';

export interface HostPlace {
  readonly host: HeadlessHost;
  readonly program: string;
  readonly cwd: string;
  readonly env: Environment;
  /** Ends the pass when the driver is gone. */
  readonly watchdog: Watchdog;
}

export interface HostProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Asks the host to end, then kills it. */
  end(): void;
  /** Resolves when the host and everything it started are gone. */
  readonly gone: Promise<HowItEnded>;
  /** Resolves when no process holds its pipes any more. */
  readonly closed: Promise<void>;
}

export type HowItEnded = Pick<PassEnd, 'exit' | 'signal' | 'unstartable'>;

export function startHost(pass: Pass, place: HostPlace, graceMs: number): HostProcess {
  const { host, watchdog } = place;
  const { args, env, stdin } = host.command(pass);
  const manners = { pass: pass.session, gentle: host.gentle, graceMs };
  watchdog.tell({ is: 'begins', ...manners });
  // Where a process can't be had (EMFILE, EAGAIN), there are no pipes: the error comes as an event.
  const child: ChildProcess = spawn(place.program, args, {
    cwd: place.cwd,
    env: { ...place.env, ...env, [MARK_VARIABLE]: markOf(pass.session, place.env[MARK_VARIABLE]) },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group: we end it as a whole, and Ctrl-C goes to the driver alone, which then decides.
    detached: true,
    windowsHide: true,
  });
  const family = familyOf(child, manners);
  if (child.pid !== undefined) watchdog.tell({ is: 'started', pid: child.pid });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);

  const gone = new Promise<HowItEnded>((resolve) => {
    const told = (how: HowItEnded) => {
      watchdog.tell({ is: 'ended' });
      resolve(how);
    };
    child.on('error', (error) => {
      // Node also emits this when a signal could not be sent. Only a child without a pid was never started.
      if (child.pid === undefined) told({ exit: null, signal: null, unstartable: error.message });
    });
    child.on('exit', (exit, signal) => {
      if (child.pid !== undefined) family.endLeftovers(() => told({ exit, signal, unstartable: null }));
    });
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const nothing = () => Readable.from([]);
  return {
    stdout: child.stdout ?? nothing(),
    stderr: child.stderr ?? nothing(),
    end: () => family.end(),
    gone,
    closed,
  };
}

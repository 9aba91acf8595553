/** Opens a session of the host in this terminal, and says how its loop stands when the session is over. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { hasEnded, isLive } from '#law/loop.ts';
import type { HostAdapter } from '#hosts/port/command-line.ts';
import { interruptLoop } from '#engine/steer/control.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { sayEnded } from '#telling/person/ended.ts';
import { placeOf } from '../context.ts';
import { hearAll } from '../terminal/full-terminal.ts';
import { EXIT, exitCodeOf, fail, printNote } from '../terminal/terminal.ts';

/** Without a flag in front, a prompt must not look like one, or like the name of a file. */
export function promptArguments(flag: string | undefined, prompt: string): string[] {
  if (flag === undefined) return ['--', prompt];
  return [flag === '' ? prompt.replace(/^[-@]/, ' $&') : `${flag}=${prompt}`];
}

export interface HostCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly stdin: number | 'inherit';
}

/** `why`: it could not be started. */
type HostEnd = { readonly how: string } | { readonly why: string };

export function openHost(
  { program: { sessionEnvironment } }: HostAdapter,
  { program, args, folder, stdin }: HostCommand,
): Promise<HostEnd> {
  return new Promise((resolve) => {
    // Also set in the environment, because a --settings flag of the person replaces ours.
    const env = { ...process.env, ...sessionEnvironment };
    const host = spawn(program, args, { cwd: folder, stdio: [stdin, 'inherit', 'inherit'], env });
    // Ctrl-C reaches both processes. We ignore it, and the host decides what it means.
    const forward = (signal: NodeJS.Signals) => () => void host.kill(signal);
    const stopHearing = hearAll([
      process,
      { SIGINT: () => undefined, SIGTERM: forward('SIGTERM'), SIGHUP: forward('SIGHUP') },
    ]);
    const end = (ended: HostEnd) => {
      stopHearing();
      resolve(ended);
    };
    host.on('error', (error) => {
      const isTooLong = 'errno' in error && Math.abs(Number(error.errno)) === constants.errno.E2BIG;
      const tooLong = 'the prompt is too long for a command line (write it to a file and point to it)';
      end({ why: isTooLong ? tooLong : error.message });
    });
    host.on('exit', (code, signal) => end({ how: signal ?? `exit code ${code ?? 0}` }));
  });
}

/**
 * The host reports its end to the hook. If it was killed or the hook is missing, we record the end here.
 * `mustHear`: the session got a prompt from us, so the hook must have been called.
 */
export function settleSession(
  open: OpenLoop,
  host: HostAdapter,
  { how, mustHear }: { readonly how: string; readonly mustHear: boolean },
  runtime: Runtime,
): number {
  const before = open.look();
  const isHeard = before.session.owner !== null && !before.session.awaited;
  const loop = isLive(before)
    ? interruptLoop(open, 'session-end', `${host.word} ended with ${how}`, runtime)
    : before;
  if (hasEnded(loop)) {
    printNote(sayEnded(loop));
    return exitCodeOf(loop);
  }
  printNote(
    `Da Capo: loop ${title(loop)} ${sayStatus(loop)}. dacapo resume ${loop.id} opens its session ` +
      `again, dacapo cancel ${loop.id} ends it.`,
  );
  const { owner } = loop.session;
  if (isHeard && owner !== null && host.settings.isRegistered?.(placeOf(loop.project)) === false)
    printNote(
      'Da Capo: the hook is not installed here, so ' +
        `${[host.word, ...host.program.resumeSession(owner.session)].join(' ')} alone would go on ` +
        'without the loop. dacapo init installs it.',
    );
  if (mustHear && !isHeard)
    return fail(
      `${host.word} ended without ever calling the hook of Da Capo.`,
      `if it asked whether you trust this folder, dacapo resume ${loop.id} asks again; otherwise ` +
        'dacapo doctor finds the cause.',
      EXIT.unfinished,
    );
  return exitCodeOf(loop);
}

/** The findings of `dacapo doctor` about Da Capo's own home and the state files of this project. */
import { existsSync, mkdtempSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasEnded, type Loop } from '#law/loop.ts';
import { errorMessage } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { plural } from '#law/words/phrases.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { sayUnreachable } from '#engine/notices/notify.ts';
import { mayHaveTarget } from '#engine/notices/tell-sinks.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Store } from '#store/store.ts';
import { ok, problem, warning, type Finding } from '#hosts/port/headless.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { activeGoal } from '#hosts/project/goal.ts';
import type { HostNames } from '#hosts/tables/names.ts';
import { STACK_TOPIC, STATE_FILE } from '#evidence/views/places.ts';
import { STATE_FOLDER } from '#evidence/views/state-folder.ts';
import { readUserConfig, sayMisfit } from '#input/config/user-config.ts';
import { findConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import { homeAt } from '#store/file/home.ts';
import { WRITABLE_BY_OTHERS } from '#store/file/safe-cache.ts';
import { readRegular } from '#base/files/read.ts';
import { readHandWritten } from '#evidence/views/markdown/format.ts';
import { isStateFile, writerOf } from '#evidence/views/names.ts';
import { waitingStates } from '#evidence/views/waiting-states.ts';
import { loopById, loopsOf, loopsUnder, newestUnder, unreadLoops } from '#engine/look/loops.ts';
import { projectRoot, shownPath } from '../context.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import { ago } from '#telling/time.ts';
import { isIn, namesIn } from '#base/files/paths.ts';
import { paint, linesWhen } from '../terminal/terminal.ts';

const OPEN_TO_OTHERS = 0o077;
const MAX_FINDINGS_LISTED = 5;

export function homeFinding(dir: string, platform: string): Finding {
  const standing = nearest(dir);
  if (!canHold(standing))
    return problem(
      'home',
      `${standing} can't be written to, so no loop can be recorded.`,
      `Fix its owner or permissions, or set DACAPO_HOME to another folder.`,
    );
  if (standing !== dir) return ok('home', `${dir} does not exist yet, and can be created`);
  const mode = statSync(dir).mode & 0o777;
  if (platform !== 'win32' && (mode & OPEN_TO_OTHERS) !== 0)
    return warning(
      'home',
      `${dir} is open to other users (mode ${mode.toString(8)}), and it holds prompts and outputs.` +
        (mode & WRITABLE_BY_OTHERS
          ? ' The hook also starts slower: it runs no compiled code from there.'
          : ''),
      `chmod 700 ${shellWord(dir)}`,
    );
  return ok('home', `${dir} is writable, and closed to others`);
}

function nearest(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : nearest(dirname(dir));
}

/** Permissions alone don't tell: nobody can make a folder in /proc or /sys, whatever their mode says. */
function canHold(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, '.dacapo-')));
    return true;
  } catch {
    return false;
  }
}

/** A registered hook may still never be called, so we look for calls in its log. */
export function hookLogFinding(canProbe: boolean, { store, now }: Runtime): Finding {
  // The sender of notifications writes into it as well.
  const last = hookLog(store).findLast((line) => !/^\S+ notify\b/.test(line));
  const at = last?.split(' ', 1)[0] ?? '';
  if (last === undefined || Number.isNaN(Date.parse(at)))
    return ok(
      'called',
      `No loop has called the hook yet${canProbe ? '; `dacapo doctor --probe` tests that' : ''}`,
    );
  return last.includes('failed open')
    ? warning(
        'called',
        `The hook last failed, ${ago(at, now())}: ${last.slice(at.length + 1, 200)}`,
        'dacapo logs --hook shows more.',
      )
    : ok('called', `The hook was last called ${ago(at, now())}`);
}

export function calledFinding({ name, title }: HostNames, runtime: Runtime): Finding {
  const [last] = loopsUnder(null, runtime)
    .filter(({ host, driver, stops }) => host === name && driver === 'hook' && stops > 0)
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .reverse();
  return last === undefined
    ? ok('judged', `No stop of ${title} was judged yet`)
    : ok('judged', `A stop of ${title} was last judged ${ago(last, runtime.now())}`);
}

function hookLog(store: Store): string[] {
  const { log } = homeAt(store.place());
  return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
}

/** A state folder that can't be read is a finding. Other commands send people to the doctor because of it. */
export function loopFindings(project: string, runtime: Runtime): Finding[] {
  try {
    return [
      ...stateFileFindings(project, runtime),
      ...waitingFindings(project, runtime),
      ...userConfigFindings(runtime),
      ...unsentFindings(runtime),
      ...goalFindings(project, runtime),
      ...leftoverFindings(runtime),
    ];
  } catch (error) {
    const says = `The loops can't be read: ${errorMessage(error)}.`;
    return [problem('home', says, 'Make that path yours, or set DACAPO_HOME to another folder.')];
  }
}

/** A goal holds the agent in its session when the loop has ended, and nothing else limits it there. */
function goalFindings(project: string, runtime: Runtime): Finding[] {
  return newestUnder(project, 0, runtime).loops.flatMap((loop) => {
    const { owner } = loop.session;
    const isHeld = owner !== null && loop.driver === 'hook' && !hasEnded(loop);
    const goal = isHeld ? activeGoal(hostOf(loop), owner.session, process.env) : null;
    if (goal === null) return [];
    const says = `${title(loop)} shares its session with a goal of the host: "${oneLine(goal, 100)}".`;
    return [
      warning('goal', says, 'The session continues until both are done; /goal clear there ends the goal.'),
    ];
  });
}

function sayElsewhere({ project }: Loop): string {
  return isIn(project, projectRoot()) ? '' : ` in ${shownPath(project)}`;
}

/**
 * Someone who waits for a message learns nowhere else that it could not be sent. The last message to a target
 * counts.
 */
function unsentFindings(runtime: Runtime): Finding[] {
  const last = new Map<string, { readonly at: string; readonly why: string | undefined }>();
  for (const line of hookLog(runtime.store)) {
    const [, at, target, why] = SENDING.exec(line) ?? [];
    if (at !== undefined && target !== undefined) last.set(target, { at, why });
  }
  const unreachable = mayHaveTarget([], runtime) ? sayUnreachable([], runtime) : [];
  const failed = [...last].filter(([, { why }]) => why !== undefined);
  return [
    ...unreachable.map((words) => warning('unsent', words, 'docs/notifications.md lists targets.')),
    ...failed
      .slice(-MAX_FINDINGS_LISTED)
      .map(([target, { at, why }]) =>
        warning(
          'unsent',
          `The last notification to ${target} could not be sent, ${ago(at, runtime.now())} (${why}).`,
          'dacapo notify --test TARGET tries it again; dacapo logs --hook shows more.',
        ),
      ),
  ];
}

const SENDING = /^(\S+) notify event=.* target=(.+?): (?:sent\b|(?:failed|not sent)\b[^(]*\((.*)\)$)/;

function userConfigFindings({ store }: Runtime): Finding[] {
  const { config: file } = homeAt(store.place());
  const read = readUserConfig(store.config);
  if (!read.ok) return [problem('config', sayMisfit(read, file), read.next)];
  const { notify, rules } = read.value;
  const has = [
    notify.length > 0 &&
      `${plural(notify.length, 'target')} of notifications (dacapo notify --test tries them)`,
    rules.commands.length > 0 && `${plural(rules.commands.length, 'command')} for validation rules`,
  ].filter((one) => one !== false);
  return has.length === 0 ? [] : [ok('config', `${file} has ${has.join(', ')}`)];
}

function leftoverFindings(runtime: Runtime): Finding[] {
  const loops = loopsUnder(null, runtime);
  const interrupted = loops.filter(({ status }) => status.is === 'interrupted');
  const { isAlive, now } = runtime;
  const files = runtime.store.leftovers({ removed: new Set(), isAlive, now: now() });
  const more = interrupted.length - MAX_FINDINGS_LISTED;
  return [
    ...unreadLoops(runtime).map(({ id, unread }) =>
      warning(
        'unread',
        `Loop ${id} can't be read: ${unread}`,
        'Da Capo leaves this loop alone until you have fixed that.',
      ),
    ),
    ...interrupted
      .slice(0, MAX_FINDINGS_LISTED)
      .map((loop) =>
        warning(
          'interrupted',
          `Loop ${title(loop)}${sayElsewhere(loop)} ${sayStatus(loop)}.`,
          `dacapo resume ${loop.id} continues it, dacapo cancel ${loop.id} ends it.`,
        ),
      ),
    ...linesWhen(
      more > 0,
      warning('interrupted', `${more} more loops are interrupted.`, 'dacapo list --all shows them.'),
    ),
    ...linesWhen(
      files.length > 0,
      warning(
        'leftovers',
        `${plural(files.length, 'leftover file')} of crashed or removed loops: ` +
          `${files.slice(0, MAX_FINDINGS_LISTED).join(', ')}`,
        'dacapo prune removes them.',
      ),
    ),
  ];
}

/** How a person gets rid of it, where that is not by deleting a file. */
const DISCARD: Readonly<Record<string, string>> = {
  [STACK_TOPIC]: '',
  [STATE_FILE]: '; dacapo cancel removes it',
};

/** Loops and stop hooks of other tools that wait in this project. Nothing but a person starts them. */
export function waitingFindings(project: string, runtime: Runtime): Finding[] {
  const loops = waitingStates(project, runtime, loopsOf(project, runtime)).map(({ file, command }) =>
    warning(
      'waiting',
      `${file} holds a loop that no session has begun: a file never starts one by itself.`,
      `${command} makes it a loop${DISCARD[file] ?? '; or delete it'}.`,
    ),
  );
  return [...loops, ...stopJsFindings(project)];
}

/** A `stop.js` where other tools look for it, which the config of this project does not name. */
function stopJsFindings(project: string): Finding[] {
  const file = `${STATE_FOLDER}/hooks/stop.js`;
  if (!existsSync(join(project, file))) return [];
  const config = findConfig(project, null);
  const path = config.ok && config.file !== null ? join(project, config.file) : null;
  if (path !== null && readFileSync(path, 'utf8').includes('hooks/stop.js')) return [];
  return [
    warning(
      'waiting',
      `${file} is used by no loop: a file is never run by itself.`,
      `Put {"hooks": [{"stopJs": "${file}"}]} into dacapo.config.json, then run dacapo trust; or delete it.`,
    ),
  ];
}

function stateFileFindings(project: string, runtime: Runtime): Finding[] {
  const folder = join(project, STATE_FOLDER);
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const writer = writerOf(name);
    const shown = shownPath(path);
    if (writer !== null && !runtime.isAlive(writer))
      return [warning('leftovers', `${shown} is a half-written state file.`, `rm ${shellWord(shown)}`)];
    return isStateFile('markdown', name) ? stateFileFinding(path, runtime) : [];
  });
}

function stateFileFinding(path: string, runtime: Runtime): Finding[] {
  const file = readRegular(path);
  const shown = shownPath(path);
  const found = (words: string, remedy: string) => [warning('state-file', `${shown} ${words}.`, remedy)];
  if (file.is !== 'content') return found("can't be read", 'Look at it, and delete it if nobody needs it.');
  const written = readHandWritten(file.content);
  if (written.is === 'garbage') return found(`is not a state file: ${written.why}`, 'Fix it or delete it.');
  if (written.official)
    return [
      problem(
        'rival',
        `${shown} is the state of the official ralph-loop plugin: if that plugin is on, its loop ` +
          'runs on the same stops.',
        'End that loop (/cancel-ralph of that plugin) or delete the file; `dacapo adopt` takes it over.',
      ),
    ];
  const { loopId } = written;
  if (loopId === null || unreadLoops(runtime).some(({ id }) => id === loopId)) return [];
  const loop = loopById(loopId, runtime);
  if (loop !== null && !hasEnded(loop)) return [];
  const whose = loop === null ? 'a loop that is not known here' : `loop ${loop.id}, which has ended`;
  return found(`shows ${whose}`, `rm ${shellWord(shown)}`);
}

const MARKS = { ok: paint.green('✓'), warning: paint.yellow('!'), problem: paint.red('✗') };

export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ level, says, remedy }) => [
    `${MARKS[level]} ${says}`,
    ...(remedy === null ? [] : [`  ${paint.dim('→')} ${remedy}`]),
  ]);
}

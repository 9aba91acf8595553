/**
 * The second Stop hook: a process of its own at each stop, which wakes a session that was let through. What is checked
 * here: whoever rests has a waker, one waker wakes it, once, and nobody is woken whose loop has ended or is paused.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '#base/shape.ts';
import { Broken } from './auditor.ts';
import type { Job } from './machine.ts';
import type { HookOrder } from './processes.ts';
import type { Ended, World } from './schedule.ts';

/** Shorter than the minute that a shell gets: a schedule has half of one. */
const HOLD_SECONDS = '4';

type Stop = Omit<Extract<HookOrder, { is: 'stop' }>, 'from' | 'registration'>;

/** The rest of a session after a stop, with the wakers that look after it. */
export interface Rest {
  readonly message: string;
  readonly loop: string | null;
  readonly host: number;
  readonly stop: object;
  /** Those that live, or begin as soon as there is room. */
  readonly wakers: Set<string>;
  /** One that was killed may have been the one that would have woken the session. */
  hasLostOne: boolean;
  woken: number;
  /** Somebody else has continued the loop since, or held it. */
  readonly isDisturbed: () => boolean;
  /** The session still rests after this stop. */
  readonly isStill: () => boolean;
}

export class Wakers {
  readonly #world: World;
  readonly #isThere: boolean;
  #begun = 0;

  constructor(world: World, isThere: boolean) {
    this.#world = world;
    this.#isThere = isThere;
  }

  get #config(): string {
    return join(this.#world.machine.root, 'claude');
  }

  showState(pid: number, status: 'busy' | 'idle'): void {
    mkdirSync(join(this.#config, 'sessions'), { recursive: true });
    writeFileSync(
      join(this.#config, 'sessions', `${pid}.json`),
      JSON.stringify({ pid, sessionId: 's1', status }),
    );
  }

  restAfter(stop: Stop & Pick<Rest, 'loop' | 'host' | 'isStill'>): Rest {
    const { message, loop, host, isStill } = stop;
    const lines = () => (loop === null ? [] : (this.#world.auditor.records.get(loop)?.ledger.lines ?? []));
    const changes = () => lines().filter(({ type }) => CHANGES.includes(type)).length;
    const before = changes();
    const payload = {
      hook_event_name: 'Stop',
      session_id: 's1',
      cwd: this.#world.project,
      prompt_id: this.#world.session.from.prompt,
      stop_hook_active: stop.continuedByHook,
      last_assistant_message: message,
      background_tasks: stop.background.map(({ id, description }) => ({
        type: 'shell',
        status: 'running',
        id,
        command: description,
      })),
    };
    return {
      message,
      loop,
      host,
      isStill,
      stop: payload,
      wakers: new Set(),
      hasLostOne: false,
      woken: 0,
      isDisturbed: () => changes() > before,
    };
  }

  start(rest: Rest, checks: Pick<Job, 'notYet' | 'fails'>): void {
    if (!this.#isThere) return;
    const env = {
      CLAUDE_CODE_SESSION_ID: 's1',
      CLAUDE_PID: String(rest.host),
      CLAUDE_CONFIG_DIR: this.#config,
      CLAUDE_PROJECT_DIR: this.#world.project,
      DACAPO_HOLD_SECONDS: HOLD_SECONDS,
    };
    const name = `waker ${++this.#begun}`;
    rest.wakers.add(name);
    const stdin = JSON.stringify(rest.stop);
    this.#world.start({ name, runs: 'waker', parent: rest.host, env, stdin, ...checks }, (ended) => {
      rest.wakers.delete(name);
      this.#hear(rest, ended);
    });
  }

  #hear(rest: Rest, { value, isKilled, wrote, process: { job } }: Ended): void {
    if (isKilled) {
      rest.hasLostOne = true;
      return;
    }
    const { exit, said } = isRecord(value) ? value : {};
    if (exit !== 2) return this.look(rest);
    const name = `${job.name}, after ${rest.message}`;
    if (typeof said !== 'string' || said === '') throw new Broken('who is woken is told why', name);
    if (++rest.woken > 1) throw new Broken('a session is woken once', name);
    // It has judged the stop itself once more or seen how the loop ended, or its line is what wakes the session.
    const judged = wrote.some(({ type, isVoid }) => JUDGES.includes(type) && !isVoid);
    const claim = wrote.find(({ type }) => type === 'woken');
    if (!judged && claim === undefined) throw new Broken('who is woken is told so by the journal', name);
    if (!judged && claim !== undefined && claim.before !== 'running' && claim.before !== 'waiting')
      throw new Broken('nobody is woken whose loop has ended or is paused', `${name}: ${claim.before}`);
    if (!judged && claim !== undefined) this.#isLast(claim, name);
    this.#world.session.wake(rest.host);
  }

  /** No stop was claimed between the one that is named and the line that wakes the session. */
  #isLast({ loop, text }: Ended['wrote'][number], name: string): void {
    const { auditor } = this.#world;
    if (auditor.pruned.has(loop)) return;
    const { lines } = auditor.ledger(loop);
    const isClaim = ({ type: _, ...line }: (typeof lines)[number]) => JSON.stringify(line) === text;
    const at = lines.findIndex(isClaim);
    const stops = lines.slice(0, at).filter(({ type }) => type === 'stop');
    const [last, mine] = [Math.max(...stops.map(({ n }) => Number(n))), Number(lines[at]?.['n'])];
    if (last > mine) throw new Broken('only the last stop wakes a session', `${name}: ${last} after ${mine}`);
  }

  /** Nobody is left to wake a session that rests. */
  look(rest: Rest): void {
    const { auditor, session } = this.#world;
    if (!this.#isThere || rest.wakers.size > 0 || rest.hasLostOne || rest.woken > 0) return;
    if (rest.loop === null || session.isAtWork || session.host !== rest.host || !rest.isStill()) return;
    if (rest.isDisturbed() || auditor.pruned.has(rest.loop)) return;
    const ledger = auditor.ledger(rest.loop);
    const last = ledger.judged.at(-1);
    if (!ledger.isLive() || ledger.owner?.process !== rest.host) return;
    if (last?.is !== 'allow' || !auditor.isAbout(last, rest.message)) return;
    throw new Broken('whoever rests has a waker', rest.message);
  }
}

const JUDGES = ['verdict', 'aborted'];
/** With these, somebody else continues the loop, or a person has held it. */
const CHANGES = ['bound', 'taken', 'resumed', 'paused', 'interrupted', 'prompted', 'moved'];

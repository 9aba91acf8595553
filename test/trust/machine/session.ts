/**
 * A session of Claude Code: it works, stops, is sent on or rests, and its process may be gone and come back. A session
 * that rests may be woken (`wakers.ts`).
 */
import { Broken } from './auditor.ts';
import type { HookOrder } from './processes.ts';
import type { Ended, World } from './schedule.ts';
import { Wakers, type Rest } from './wakers.ts';

const TASK = 'Do it.';
/** A registration of the hook that comes later than the first one. */
const LATE_MS = 3_000;
const SHELL = { id: 'b1', kind: 'shell', description: 'npm start' } as const;
/** How long a waker is given once what it waits for is over and everything is mended. */
const PATIENCE_MS = 20_000;

export class Session {
  isStarting: boolean;
  loop: string | null = null;
  readonly #world: World;
  readonly #registrations: number;
  readonly #completes: number;
  readonly #limit: number;
  #host = 0;
  #prompts = 0;
  #turns = 0;
  #isAtWork = false;
  #seen = 0;
  /** What the host starts belongs to this life of it. */
  #life = 0;
  readonly #wakers: Wakers;
  /** How often a stop asks, waits for a shell, or finds something in the queue. */
  readonly #rests: number;
  /** Null: its loop has no check. */
  readonly #notYet: number | null;
  #rest: Rest | null = null;
  /** What the host has not delivered to each registration yet. */
  #undelivered = 0;
  #seenAt = 0;

  constructor(world: World) {
    const { random, focus } = world;
    this.#world = world;
    this.isStarting = random.chance(0.85);
    this.#registrations = focus.registrations ?? (random.chance(0.5) ? 2 : 1);
    this.#completes = random.pick([0, 0.1, 0.4] as const);
    this.#limit = random.whole(2, 6);
    this.#rests = focus.rests ?? random.pick([0, 0.08, 0.3] as const);
    this.#notYet = random.chance(focus.rests ?? 0.3) ? random.pick([0.3, 0.8] as const) : null;
    this.#wakers = new Wakers(world, focus.rests !== undefined || random.chance(0.8));
  }

  get host(): number {
    return this.#host;
  }

  get isDelivering(): boolean {
    return this.#undelivered > 0;
  }

  get isAtWork(): boolean {
    return this.#isAtWork;
  }

  get isUsed(): boolean {
    return this.#host > 0;
  }

  begin(): void {
    if (!this.isStarting) return;
    this.#live();
    this.#startLoop();
    this.#lookAfter();
  }

  #live(): void {
    const { machine } = this.#world;
    this.#host = machine.newPid();
    machine.setAlive(this.#host, true);
    this.#life++;
    this.#showState();
  }

  #setAtWork(isAtWork: boolean): void {
    this.#isAtWork = isAtWork;
    if (isAtWork) this.#rest = null;
    this.#showState();
  }

  /** Claude Code's own list of its live processes. */
  #showState(): void {
    if (this.#host > 0) this.#wakers.showState(this.#host, this.#isAtWork ? 'busy' : 'idle');
  }

  #startLoop(): void {
    const { random } = this.#world;
    const check =
      this.#notYet === null
        ? ''
        : ` --check ./check --tests-may-change --recheck ${random.pick(['1s', '4s'] as const)}`;
    const args = `${TASK} --max-iterations ${this.#limit} --completion-promise COMPLETE${check}`;
    this.#prompts++;
    const life = this.#life;
    this.#deliver({ is: 'command', command: 'start', args }, 'start', (answers) => {
      if (answers.some(({ is }) => is === 'brief')) this.#work(false);
      // Killed, or refused because its other delivery has made the loop: the agent begins anyway, or a person again.
      this.#find();
      // A host that is gone by then starts nothing; whoever opens the session again does.
      const again = () => (life === this.#life ? this.#startLoop() : undefined);
      if (this.loop === null) this.#world.after(random.whole(100, 2_000), again);
      else if (!this.#isAtWork) this.#work(false);
    });
  }

  #find(): void {
    for (const [loop, { ledger }] of this.#world.auditor.records)
      if (JSON.stringify(ledger.lines[0] ?? null).includes('"session":"s1"')) this.loop = loop;
    if (this.loop !== null) this.isStarting = false;
  }

  /** A power cut took a start that nobody was told of: somebody starts again. */
  forgetLostStart(): void {
    const { records, pruned } = this.#world.auditor;
    if (this.loop === null || pruned.has(this.loop)) return;
    if ((records.get(this.loop)?.ledger.lines.length ?? 0) > 0) return;
    this.loop = null;
    this.isStarting = true;
  }

  get from() {
    const { project } = this.#world;
    return { session: 's1', process: this.#host, project, prompt: `p${this.#prompts}` };
  }

  /** To each registration of the hook: at once, or with a delay. The host waits for all of them. */
  #deliver(
    what: Omit<Extract<HookOrder, { is: 'stop' }>, 'from' | 'registration'> | HookWords,
    name: string,
    over: (answers: readonly Heard[]) => void,
    rest: Rest | null = null,
  ): void {
    const { random } = this.#world;
    const life = this.#life;
    const answers: Heard[] = [];
    let left = this.#registrations;
    const from = this.from;
    for (let k = 0; k < this.#registrations; k++) {
      const registration = `r${k}`;
      const given = { ...what, from, registration };
      const job = { name: `${name} ${registration}`, runs: 'hook' as const, given, ...this.#checks() };
      const ended = ({ value, isKilled }: Ended) => {
        if (!isKilled) answers.push(value as Heard);
        if (--left === 0 && life === this.#life) over(answers);
      };
      this.#undelivered++;
      const start = () => {
        this.#undelivered--;
        if (life !== this.#life) return;
        this.#world.start(job, ended);
        if (rest !== null) this.#wakers.start(rest, this.#checks());
      };
      if (k === 0) start();
      else this.#world.after(random.chance(0.7) ? random.whole(0, 20) : random.whole(0, LATE_MS), start);
    }
  }

  #checks() {
    return this.#notYet === null ? {} : { notYet: this.#notYet, fails: 0.4 };
  }

  #work(continued: boolean): void {
    const { random } = this.#world;
    const life = this.#life;
    this.#setAtWork(true);
    this.#world.after(random.whole(20, 3_000), () => {
      if (life === this.#life) this.#stop(continued);
    });
  }

  #stop(continuedByHook: boolean): void {
    const { auditor, random, isMended } = this.#world;
    const isDone = random.chance(this.#completes);
    const why =
      !isMended && random.chance(this.#rests)
        ? random.pick(['asks', 'asks', 'shell', 'queue'] as const)
        : null;
    const tag = isDone
      ? ' <promise>COMPLETE</promise>'
      : why === 'asks'
        ? ' <promise>ASK: Which one?</promise>'
        : '';
    const message = `Turn ${++this.#turns}.${tag}`;
    auditor.says(message);
    const holds = this.#holds();
    const background = why === 'shell' ? [SHELL] : [];
    const stop = {
      is: 'stop',
      message,
      continuedByHook,
      waiting: Number(why === 'queue'),
      background,
    } as const;
    const { life, loop } = { life: this.#life, loop: this.loop };
    const rest = this.#wakers.restAfter({
      ...stop,
      loop,
      host: this.#host,
      isStill: () => rest === this.#rest,
    });
    const over = (answers: readonly Heard[]) => {
      this.#setAtWork(false);
      if (isMended && holds !== null && holds === this.#holds() && !auditor.isJudged(message))
        throw new Broken('each stop of a live loop is judged', message);
      const goesOn = answers.filter(({ is }) => is === 'continue');
      for (const _ of goesOn) auditor.wentOn(message);
      if (goesOn.length > 0) return this.#work(true);
      this.#rest = rest;
      this.#wakers.look(rest);
      if (why !== 'queue') return;
      // A prompt of the person waited in the queue, or a command that begins no turn.
      const prompt = () => (life === this.#life ? this.prompt() : undefined);
      if (random.chance(0.5)) this.#world.after(random.whole(50, 500), prompt);
    };
    this.#deliver(stop, `stop ${this.#turns}`, over, rest);
  }

  /** A waker ends with the words that begin another turn. */
  wake(host: number): void {
    if (host !== this.#host || this.#isAtWork) return;
    this.#setAtWork(true);
    // The host says nothing about the prompt of such a turn: a new one, or that of the chain before.
    if (this.#world.random.chance(0.5)) return this.#work(false);
    this.#prompts++;
    const words = { is: 'prompt', text: '<system-reminder>', person: false } as const;
    this.#deliver(words, `waking prompt ${this.#prompts}`, () => this.#work(false));
  }

  /** How often the loop has changed hands, if it is live and ours. */
  #holds(): number | null {
    const ledger = this.loop === null ? undefined : this.#world.auditor.records.get(this.loop)?.ledger;
    if (ledger === undefined || !ledger.isLive() || ledger.owner?.process !== this.#host) return null;
    return ledger.lines.filter(({ type }) => ['bound', 'taken', 'resumed', 'paused'].includes(type)).length;
  }

  /** A person types something into the session. */
  prompt(): void {
    if (this.#isAtWork || this.#host === 0 || this.loop === null) return;
    this.#prompts++;
    this.#setAtWork(true);
    this.#deliver({ is: 'prompt', text: 'Go on.', person: true }, `prompt ${this.#prompts}`, () =>
      this.#work(false),
    );
  }

  /** The process of the host is gone, and somebody opens the session again. */
  crash(after: number): void {
    if (this.#host === 0) return;
    // What it has asked the hook is answered to nobody.
    this.#world.trace('the host of the session is gone');
    this.#world.machine.setAlive(this.#host, false);
    this.#host = 0;
    this.#setAtWork(false);
    this.#rest = null;
    this.#life++;
    this.#world.after(after, () => {
      this.#live();
      this.#world.trace(`the session is opened again by ${this.#host}`);
      this.#deliver({ is: 'session-start', source: 'resume' }, 'session start', () => {
        if (this.loop === null) this.#startLoop();
      });
    });
  }

  /** Once everything is mended, a person resumes the loop and types, until it has come to its end. */
  #lookAfter(): void {
    this.#world.after(5_000, () => {
      this.#lookAfter();
      this.#find();
      const { auditor, isMended, people } = this.#world;
      if (!isMended || this.loop === null || this.#isAtWork || auditor.pruned.has(this.loop)) return;
      const { status } = auditor.ledger(this.loop);
      if (auditor.ledger(this.loop).hasEnded()) return;
      people.answerAll(this.loop);
      if (this.#isWaitingForWaker()) return;
      // `dacapo status` shows what to do where a prompt does nothing: the entry of the session was lost, or its host.
      const now = auditor.ledger(this.loop).snapshots.length;
      const isStuck = now === this.#seen;
      this.#seen = isStuck ? 0 : now;
      if (isStuck || status === 'paused' || status === 'interrupted') people.resume(this.loop);
      else this.prompt();
    });
  }

  /** What the session waits for is over by now, or will be, and a waker lives that has to see it. */
  #isWaitingForWaker(): boolean {
    const { auditor, machine } = this.#world;
    const rest = this.#rest;
    if (rest === null || this.loop === null || rest.wakers.size === 0) return false;
    const ledger = auditor.ledger(this.loop);
    if (!ledger.isLive() || ledger.owner?.process !== this.#host || rest.isDisturbed()) return false;
    const now = ledger.snapshots.length;
    if (now !== this.#seen) [this.#seen, this.#seenAt] = [now, machine.now];
    const since = Math.max(this.#seenAt, ledger.until ?? 0);
    if (machine.now - since > PATIENCE_MS)
      throw new Broken(
        'a waker does not wait for what is over',
        `after ${rest.message}, by ${[...rest.wakers].join(', ')}`,
      );
    return true;
  }
}

interface Heard {
  readonly is: string;
}

type HookWords =
  | { readonly is: 'prompt'; readonly text: string; readonly person: boolean }
  | { readonly is: 'command'; readonly command: 'start'; readonly args: string }
  | { readonly is: 'session-start'; readonly source: 'resume' };

/** A session of Claude Code: it works, stops, is sent on or rests, and its process may be gone and come back. */
import { Broken } from './auditor.ts';
import type { HookOrder } from './processes.ts';
import type { Ended, World } from './schedule.ts';

const TASK = 'Do it.';
/** A registration of the hook that comes later than the first one. */
const LATE_MS = 3_000;

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

  constructor(world: World) {
    const { random, focus } = world;
    this.#world = world;
    this.isStarting = random.chance(0.85);
    this.#registrations = focus.registrations ?? (random.chance(0.5) ? 2 : 1);
    this.#completes = random.pick([0, 0.1, 0.4] as const);
    this.#limit = random.whole(2, 6);
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
  }

  #startLoop(): void {
    const { random } = this.#world;
    const args = `${TASK} --max-iterations ${this.#limit} --completion-promise COMPLETE`;
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

  #from() {
    const { project } = this.#world;
    return { session: 's1', process: this.#host, project, prompt: `p${this.#prompts}` };
  }

  /** To each registration of the hook: at once, or with a delay. The host waits for all of them. */
  #deliver(
    what: Omit<Extract<HookOrder, { is: 'stop' }>, 'from' | 'registration'> | HookWords,
    name: string,
    over: (answers: readonly Heard[]) => void,
  ): void {
    const { random } = this.#world;
    const life = this.#life;
    const answers: Heard[] = [];
    let left = this.#registrations;
    const from = this.#from();
    for (let k = 0; k < this.#registrations; k++) {
      const registration = `r${k}`;
      const given = { ...what, from, registration };
      const job = { name: `${name} ${registration}`, runs: 'hook' as const, given };
      const ended = ({ value, isKilled }: Ended) => {
        if (!isKilled) answers.push(value as Heard);
        if (--left === 0 && life === this.#life) over(answers);
      };
      const start = () => (life === this.#life ? this.#world.start(job, ended) : undefined);
      if (k === 0) start();
      else this.#world.after(random.chance(0.7) ? random.whole(0, 20) : random.whole(0, LATE_MS), start);
    }
  }

  #work(continued: boolean): void {
    const { random } = this.#world;
    const life = this.#life;
    this.#isAtWork = true;
    this.#world.after(random.whole(20, 3_000), () => {
      if (life === this.#life) this.#stop(continued);
    });
  }

  #stop(continuedByHook: boolean): void {
    const { auditor, random, isMended } = this.#world;
    const isDone = random.chance(this.#completes);
    const isAsking = !isMended && random.chance(0.08);
    const tag = isDone
      ? ' <promise>COMPLETE</promise>'
      : isAsking
        ? ' <promise>ASK: Which one?</promise>'
        : '';
    const message = `Turn ${++this.#turns}.${tag}`;
    auditor.says(message);
    const before = isMended ? this.#holds() : null;
    this.#deliver({ is: 'stop', message, continuedByHook }, `stop ${this.#turns}`, (answers) => {
      this.#isAtWork = false;
      if (before !== null && before === this.#holds() && !auditor.isJudged(message))
        throw new Broken('each stop of a live loop is judged', message);
      const goesOn = answers.filter(({ is }) => is === 'continue');
      for (const _ of goesOn) auditor.wentOn(message);
      if (goesOn.length > 0) this.#work(true);
    });
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
    this.#isAtWork = true;
    this.#deliver({ is: 'prompt', text: 'Go on.' }, `prompt ${this.#prompts}`, () => this.#work(false));
  }

  /** The process of the host is gone, and somebody opens the session again. */
  crash(after: number): void {
    if (this.#host === 0) return;
    // What it has asked the hook is answered to nobody.
    this.#world.trace('the host of the session is gone');
    this.#world.machine.setAlive(this.#host, false);
    this.#host = 0;
    this.#isAtWork = false;
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
      // `dacapo status` shows what to do where a prompt does nothing: the entry of the session was lost, or its host.
      const now = auditor.ledger(this.loop).snapshots.length;
      const isStuck = now === this.#seen;
      this.#seen = isStuck ? 0 : now;
      if (isStuck || status === 'paused' || status === 'interrupted') people.resume(this.loop);
      else this.prompt();
    });
  }
}

interface Heard {
  readonly is: string;
}

type HookWords =
  | { readonly is: 'prompt'; readonly text: string }
  | { readonly is: 'command'; readonly command: 'start'; readonly args: string }
  | { readonly is: 'session-start'; readonly source: 'resume' };

/**
 * A stage for hearings: a real home and a real project in temporary folders, a clock that only a test moves,
 * and arrivals built by hand. Every arrival is heard by a process of its own, as the host does it.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { type Loop } from '#law/loop.ts';
import { hearArrival } from '#engine/hearing/hear.ts';
import { passOf, type Runtime } from '#store/runtime.ts';
import type { Answer, Arrival, CommandArrival, Look, Sender, StopArrival } from '#hosts/port/arrival.ts';
import { claudeCode } from '#hosts/claude-code/hook/host.ts';
import { commandNamesIn } from '#hosts/claude-code/names.ts';
import { CLAUDE_CODE_NAME } from '#hosts/claude-code/names.ts';
import { actsOfCall, callOf } from '#hosts/tools/tools.ts';
import { fileBlobs } from '#store/file/open-loop.ts';
import { homeAt, type Home } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { Blobs } from '#store/open-loop.ts';
import type { Store } from '#store/store.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

const RUNNER = resolve(import.meta.dirname, '../../../plugin/dist/runner.cjs');
const STATE_FILE = join('.claude', 'ralph-loop.local.md');

type StopOver = Partial<Omit<StopArrival, 'is' | 'from' | 'message'>> & {
  from?: Partial<Sender>;
  look?: () => Look;
};

export class Stage {
  readonly home: Home;
  readonly store: Store;
  readonly project: string;
  readonly log: string[] = [];
  /** Who speaks unless a test says otherwise. A new prompt of the person changes `prompt`. */
  readonly sender: Sender;
  readonly dead = new Set<number>();
  /** The environment of every process. */
  env: Record<string, string> = {};
  private clock = Date.now();
  private processes = 50_000;

  /** In files unless a test says otherwise. */
  constructor(store: Store | null = null) {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-stage-')));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    this.home = homeAt(join(dir, 'home'));
    this.store = store ?? fileStore(this.home);
    this.project = join(dir, 'project');
    mkdirSync(this.project);
    this.sender = {
      host: claudeCode.name,
      limits: claudeCode.limits,
      session: 's1',
      process: 100,
      project: this.project,
      prompt: 'p1',
      commands: commandNamesIn({}),
    };
  }

  now(): string {
    return new Date(this.clock).toISOString();
  }

  wait(ms: number): void {
    this.clock += ms;
  }

  /** The world of one process: each call is another one. */
  runtime(over: Partial<Runtime> = {}): Runtime {
    this.wait(10);
    return {
      store: this.store,
      now: () => new Date((this.clock += 1)).toISOString(),
      process: ++this.processes,
      started: this.now(),
      runner: RUNNER,
      isAlive: (process) => !this.dead.has(process),
      log: (line) => this.log.push(line),
      env: this.env,
      ...over,
    };
  }

  from(over: Partial<Sender> = {}): Sender {
    return { ...this.sender, ...over };
  }

  async hear(arrival: Arrival, runtime = this.runtime()): Promise<Answer> {
    return hearArrival(arrival, runtime.store, () => runtime, passOf(runtime.env));
  }

  /** A tool is about to be used, as the host tells it. */
  async tool(
    use: Readonly<Record<string, unknown>>,
    { from, runtime }: { from?: Partial<Sender>; runtime?: Runtime } = {},
  ): Promise<Answer> {
    const host = from?.host ?? CLAUDE_CODE_NAME;
    const acts = () => actsOfCall(use, host, { CLAUDE_PROJECT_DIR: this.project });
    const call = () => callOf(use, host);
    return this.hear({ is: 'tool', from: this.from(from), acts, call, hostFiles: () => [] }, runtime);
  }

  stopArrival(message = 'Working on it.', { from, ...over }: StopOver = {}): StopArrival {
    return {
      is: 'stop',
      from: this.from(from),
      message,
      background: [],
      cap: null,
      attended: true,
      continuedByHook: false,
      look: ({ offset }) => ({ queue: { offset, waiting: 0 }, taken: false, toolUsed: true }),
      ...over,
    };
  }

  async stop(message?: string, over: StopOver = {}): Promise<Answer> {
    return this.hear(this.stopArrival(message, over));
  }

  async command(
    command: CommandArrival['command'],
    args = '',
    {
      from,
      ...over
    }: Partial<Omit<CommandArrival, 'is' | 'command' | 'args' | 'from'>> & { from?: Partial<Sender> } = {},
  ): Promise<Answer> {
    return this.hear({
      is: 'command',
      from: this.from(from),
      command,
      args,
      cap: null,
      liftCap: null,
      ...over,
    });
  }

  async start(args: string, from: Partial<Sender> = {}): Promise<Loop> {
    const answer = await this.command('start', args, { from });
    if (answer.is !== 'brief') throw new Error(`not started: ${toPerson(answer)}`);
    const loop = this.loops().at(-1);
    if (loop === undefined) throw new Error('no loop was made');
    return loop;
  }

  async prompt(text: string, from: Partial<Sender> = {}): Promise<Answer> {
    return this.hear({ is: 'prompt', from: this.from(from), text, person: true });
  }

  async notice(from: Partial<Sender> = {}): Promise<Answer> {
    const text = '<task-notification>done</task-notification>';
    return this.hear({ is: 'prompt', from: this.from(from), text, person: false });
  }

  async sessionStart(source: 'resume' | 'clear' | 'compact', from: Partial<Sender> = {}): Promise<Answer> {
    return this.hear({ is: 'session-start', from: this.from({ prompt: null, ...from }), source });
  }

  async sessionEnd(reason: string, from: Partial<Sender> = {}): Promise<Answer> {
    return this.hear({ is: 'session-end', from: this.from({ prompt: null, ...from }), reason });
  }

  loops(): Loop[] {
    return this.store
      .loops()
      .map(({ id }) => this.loop(id))
      .sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  }

  /** The loop as its journal tells it now; the only one unless named. */
  loop(id = this.onlyId()): Loop {
    const open = this.store.open(id);
    if (open === null) throw new Error(`loop ${id} can't be read`);
    open.close();
    return open.loop();
  }

  status(id?: string): string {
    return this.loop(id).status.is;
  }

  passes(id?: string): number {
    return this.loop(id).frame.passes;
  }

  private onlyId(): string {
    const [only, ...more] = this.store.loops();
    if (only === undefined || more.length > 0) throw new Error('there is not just one loop');
    return only.id;
  }

  dir(id = this.onlyId()): string {
    return join(this.home.loops, id);
  }

  blobs(id = this.onlyId()): Blobs {
    return fileBlobs(this.dir(id));
  }

  journal(id?: string): Event[] {
    const lines = readFileSync(join(this.dir(id), 'journal.jsonl'), 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  /** Puts an event into the journal as another process would. */
  append(event: Event, id?: string): void {
    this.scribble(`\n${JSON.stringify(event)}\n`, id);
  }

  scribble(raw: string, id?: string): void {
    appendFileSync(join(this.dir(id), 'journal.jsonl'), raw);
  }

  /** Makes its journal one that a later version of Da Capo has written. */
  newer(id?: string): void {
    const path = join(this.dir(id), 'journal.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version":\d+/, '"version":999'));
    rmSync(join(this.dir(id), 'state.json'), { force: true });
  }

  evidence(id?: string): string[] {
    const folder = join(this.dir(id), 'evidence');
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  path(file = STATE_FILE): string {
    return join(this.project, file);
  }

  hasView(file?: string): boolean {
    return existsSync(this.path(file));
  }

  view(file?: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  deleteView(file?: string): void {
    rmSync(this.path(file));
  }

  /** A person saved the file this long ago. */
  write(
    content: string | Uint8Array,
    { file, ago = 5 * SECOND }: { file?: string; ago?: number } = {},
  ): void {
    const path = this.path(file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const when = (this.clock - ago) / 1000;
    utimesSync(path, when, when);
  }

  edit(change: (content: string) => string, ago = 5 * SECOND): string {
    const before = this.view();
    const after = change(before);
    if (after === before) throw new Error('this edit changes nothing');
    this.write(after, { ago });
    return after;
  }
}

/** The words to the person, whatever kind of answer it is. */
export function toPerson(answer: Answer): string {
  return 'toPerson' in answer ? (answer.toPerson ?? '') : '';
}

export function toAgent(answer: Answer): string {
  return 'toAgent' in answer ? answer.toAgent : '';
}

export const DONE = 'All done.\n\n<promise>COMPLETE</promise>';

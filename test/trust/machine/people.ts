/** People at three terminals: what they do, and what they have to be told for it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoopAction } from '#engine/steer/actions.ts';
import { NO_AMENDMENT } from '#engine/steer/amend.ts';
import { Broken } from './auditor.ts';
import { isEnded } from './ledger.ts';
import type { Ended, World } from './schedule.ts';

type Deed =
  | { readonly is: 'acts'; readonly action: LoopAction }
  | { readonly is: 'answers' | 'looks' | 'prunes' | 'prompts' | 'edits' | 'deletes' | 'crashes' };

interface ActResult {
  readonly ok: boolean;
  readonly code?: string;
  readonly why?: string;
}

/** The event by which a journal says that a person did it. */
const EVENTS: Readonly<Record<LoopAction['is'], string>> = {
  cancel: 'cancelled',
  pause: 'paused',
  resume: 'resumed',
  steer: 'steered',
  amend: 'amended',
  answer: 'answered',
  trust: 'resumed',
};

export class People {
  readonly #world: World;
  #words = 0;

  constructor(world: World) {
    this.#world = world;
  }

  begin(): void {
    const { random } = this.#world;
    const deeds = random.pick([0, 4, 10, 16] as const);
    this.#tidy();
    for (let k = 0; k < deeds; k++)
      this.#world.after(random.whole(100, 28_000), () => this.#do(this.#choose()));
  }

  /** Half of a start that nobody was told of: somebody ends it in the end. */
  #tidy(): void {
    this.#world.after(5_000, () => {
      this.#tidy();
      const { auditor, isMended, drivers, session } = this.#world;
      if (!isMended) return;
      for (const [loop, { ledger }] of auditor.records) {
        const isOurs = loop === drivers.loop || (loop === session.loop && ledger.status !== 'pending');
        if (!isOurs && !ledger.hasEnded() && !auditor.pruned.has(loop)) this.act(loop, { is: 'cancel' });
      }
    });
  }

  #choose(): Deed {
    const { random, focus } = this.#world;
    if (focus.edits === true && random.chance(0.4)) return { is: 'edits' };
    if (focus.prunes === true && random.chance(0.4)) return { is: 'prunes' };
    const acts = (action: LoopAction): Deed => ({ is: 'acts', action });
    const word = `word-${++this.#words}-${random.whole(1, 1_000_000)}.`;
    return (
      random.pick([
        { is: 'looks' },
        { is: 'looks' },
        { is: 'looks' },
        { is: 'prompts' },
        { is: 'crashes' },
        { is: 'edits' },
        { is: random.chance(0.3) ? 'deletes' : 'looks' },
        { is: 'prunes' },
        acts({ is: random.chance(0.3) ? 'cancel' : 'pause' }),
        acts({ is: 'pause' }),
        acts({ is: 'resume', limits: random.chance(0.5) ? { iterations: random.whole(4, 9) } : {} }),
        acts({ is: 'resume', limits: {} }),
        acts({ is: 'steer', words: word }),
        acts({ is: 'steer', words: word }),
        acts({ is: 'amend', ...NO_AMENDMENT, limits: { iterations: random.whole(3, 9) } }),
        { is: 'answers' },
        { is: 'answers' },
      ] satisfies Deed[]) ?? { is: 'looks' }
    );
  }

  #do(deed: Deed): void {
    const { random, session, drivers, auditor } = this.#world;
    const loops = [session.loop, drivers.loop].filter((one) => one !== null && !auditor.pruned.has(one));
    const loop = random.pick(loops);
    if (loop === undefined || loop === null) return;
    switch (deed.is) {
      case 'answers':
        return this.answerAll(loop);
      case 'acts':
        return this.act(loop, deed.action);
      case 'looks':
        return this.look(loop);
      case 'prunes':
        return this.#prune(loop);
      case 'prompts':
        return session.prompt();
      case 'crashes':
        return random.chance(0.5) ? session.crash(random.whole(50, 3_000)) : undefined;
      case 'edits':
        return this.edit();
      case 'deletes':
        return this.#delete();
    }
  }

  /** Three at once, of one deed. */
  act(loop: string, action: LoopAction): void {
    const { random, isMended } = this.#world;
    const times = !isMended && action.is !== 'steer' && action.is !== 'answer' && random.chance(0.2) ? 3 : 1;
    for (let k = 0; k < times; k++)
      this.#world.start({ name: `${action.is} ${loop}`, runs: 'act', given: { id: loop, action } }, (ended) =>
        this.#hear(loop, action, ended),
      );
  }

  resume(loop: string): void {
    this.act(loop, { is: 'resume', limits: {} });
  }

  /** Everything that the loop asks. */
  answerAll(loop: string): void {
    for (const { id, kind } of this.#world.auditor.ledger(loop).openRequests()) {
      const answer = kind === 'question' ? 'text' : 'approved';
      this.act(loop, { is: 'answer', request: id, answer, note: 'This one.' });
    }
  }

  /** Done exactly once, or refused with a reason and not done. */
  #hear(loop: string, action: LoopAction, { value, isKilled, wrote, since }: Ended): void {
    if (isKilled) return;
    const { ok, code, why } = value as ActResult;
    const type = EVENTS[action.is];
    // An edit of the view that it found on the way is another word.
    const own = wrote.filter(
      (one) => one.type === type && one.loop === loop && !one.text.includes('"by":"view"'),
    );
    const done = own.filter(
      ({ isVoid, text }) => (!isVoid || type === 'resumed') && !this.#isSecondAnswer(loop, action, text),
    );
    const name = `${action.is} of ${loop}`;
    if (!ok) {
      if (!code || !why) throw new Broken('who is refused is told why', name);
      // It has ended right behind the word, which is as good as none.
      const isMoot = this.#world.auditor.pruned.has(loop) || this.#world.auditor.ledger(loop).hasEnded();
      if (done.length > 0 && !isMoot) throw new Broken('what was refused is not done', `${name}: ${why}`);
      return;
    }
    if (done.length > 1) throw new Broken('a word is heard once', `${name}: ${done.length} times`);
    if (done.length === 1 || this.#wasSo(loop, action, since.get(loop) ?? 0)) return;
    throw new Broken('what was told to a person as done is done', `${name}: ${JSON.stringify(own)}`);
  }

  /** Two people have answered at once: the first line in the record counts. */
  #isSecondAnswer(loop: string, action: LoopAction, text: string): boolean {
    const { auditor } = this.#world;
    if (action.is !== 'answer' || auditor.pruned.has(loop)) return false;
    const isFor = (line: Readonly<Record<string, unknown>>) =>
      line['type'] === 'answered' && line['id'] === action.request;
    const { type: _, ...first } = auditor.ledger(loop).lines.find(isFor) ?? { type: '' };
    return JSON.stringify(first) !== text;
  }

  /** Nothing had to be done: it was so already. */
  #wasSo(loop: string, { is }: LoopAction, since: number): boolean {
    const { auditor } = this.#world;
    if (auditor.pruned.has(loop)) return true;
    const seen = auditor
      .ledger(loop)
      .snapshots.slice(Math.max(0, since))
      .map(({ status }) => status);
    if (is === 'cancel') return seen.some(isEnded);
    if (is === 'pause') return seen.includes('paused');
    return (
      is === 'resume' &&
      seen.some((status) => status === 'running' || status === 'waiting' || isEnded(status))
    );
  }

  look(loop: string): void {
    this.#world.start(
      { name: `look at ${loop}`, runs: 'look', given: { id: loop } },
      ({ value, isKilled, since }) => {
        const { auditor } = this.#world;
        if (isKilled || auditor.pruned.has(loop)) return;
        const { listed, seen } = value as {
          listed: string[];
          seen: Parameters<typeof auditor.isAsSeen>[1] | null;
        };
        if (!listed.includes(loop) || seen === null) throw new Broken('a list has every loop', loop);
        auditor.isAsSeen(loop, seen, since.get(loop) ?? 0);
      },
    );
  }

  #prune(loop: string): void {
    const { random, focus } = this.#world;
    if (focus.prunes !== true && !random.chance(0.3)) return;
    this.#world.start({ name: `prune ${loop}`, runs: 'prune', given: { id: loop } }, () => undefined);
    if (focus.prunes === true) this.act(loop, { is: 'resume', limits: { iterations: 9 } });
  }

  #view(): string {
    return join(this.#world.project, '.claude', 'ralph-loop.local.md');
  }

  /** With an editor that writes in place. */
  edit(): void {
    if (!existsSync(this.#view())) return;
    this.#world.auditor.hasTouchedView = true;
    const text = `Written by a person ${++this.#words}.`;
    const isGarbage = this.#world.random.chance(0.2);
    const before = readFileSync(this.#view(), 'utf8');
    // What a person had written there is theirs to remove.
    for (const own of this.#world.auditor.written)
      if (before.includes(own)) this.#world.auditor.written.delete(own);
    const content = isGarbage ? `${text}\n` : `${before.trimEnd()}\n${text}\n`;
    writeFileSync(this.#view(), content);
    this.#world.auditor.written.add(text);
    this.#world.trace(`a person writes ${JSON.stringify(text)}${isGarbage ? ' alone' : ''}`);
    this.#world.machine.operations.push(
      { is: 'truncate', path: this.#view(), to: 0 },
      { is: 'write', path: this.#view(), at: 0, bytes: Buffer.from(content).toString('base64') },
      { is: 'sync', path: this.#view() },
    );
  }

  #delete(): void {
    if (!existsSync(this.#view())) return;
    this.#world.auditor.hasTouchedView = true;
    for (const own of this.#world.auditor.written) this.#world.auditor.written.delete(own);
    rmSync(this.#view());
    this.#world.machine.operations.push(
      { is: 'unlink', path: this.#view() },
      { is: 'sync', path: join(this.#world.project, '.claude') },
    );
    this.#world.trace('a person deletes the view');
  }
}

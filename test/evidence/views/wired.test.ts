/**
 * The conformance suite once more, against views as loops keep them: a generated loop is heard by the real
 * hearing, in all views at once, and what stands on disk afterwards carries what the loop is. Then someone
 * edits one of them.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStartFields } from '#input/arguments.ts';
import { hasEnded, isLive, type Loop } from '#law/loop.ts';
import { isRecord } from '#base/shape.ts';
import { cancelLoop, pauseLoop, resumeLoop } from '#engine/steer/control.ts';
import { startLoop } from '#engine/begin/start.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { DONE, SECOND, Stage } from '../../engine/hearing/stage.ts';
import { BENCHES } from './benches.ts';
import { OTHER_LIMIT, type CardDetails } from './conformance.ts';

const STEPS = ['work', 'wait', 'fault', 'pause', 'go on', 'raise', 'notes'] as const;
const ENDS = ['done', 'blocked', 'cancel', null] as const;
type Step = (typeof STEPS)[number] | Exclude<(typeof ENDS)[number], null>;

const words = fc.string({ unit: 'binary', maxLength: 40 });
const prompt = fc
  .array(fc.oneof(words, fc.constantFrom('---', 'Status: COMPLETE', 'event: ABORT', '"', '# a', '\\n')), {
    maxLength: 4,
  })
  .map((lines) => `Do ${lines.join('\n')} now`);
const history = fc.record({
  prompt,
  limit: fc.option(fc.integer({ min: 4, max: 1_000 })),
  steps: fc.array(fc.tuple(fc.constantFrom(...STEPS), words), { maxLength: 6 }),
  end: fc.constantFrom(...ENDS),
});

/** A loop in all its views, and what is known of it beside. */
class Story {
  readonly stage = new Stage();
  readonly said: string[] = [];
  private turns = 1;

  constructor(private readonly prompt: string) {}

  begin(limit: number | null): void {
    const request = readStartFields(this.prompt, {
      maxIterations: limit ?? 'unlimited',
      view: 'markdown,progress,vault,stack',
    });
    if (!request.ok) throw new Error(request.message);
    const { project } = this.stage;
    const from = this.stage.from();
    const started = startLoop(
      { request, project, host: 'claude-code', actor: 'session', from, owns: 'command', view: true },
      this.stage.runtime(),
    );
    if (started.is !== 'started') throw new Error(started.is);
    started.open.close();
  }

  loop(): Loop {
    return this.stage.loop();
  }

  async take(step: Step, text: string): Promise<void> {
    this.stage.wait(2 * SECOND);
    const from = { prompt: `p${this.turns}` };
    const live = isLive(this.loop());
    switch (step) {
      case 'work':
      case 'done':
      case 'blocked': {
        if (!live) return;
        const tag = { work: '', done: DONE, blocked: '<promise>BLOCKED: no key</promise>' }[step];
        const message = `a${text.replaceAll('<', '')}z ${this.said.length}\n\n${tag}`;
        this.said.push(message);
        await this.stage.stop(message, { from });
        return;
      }
      case 'wait':
        if (live)
          await this.stage.stop(`Waiting ${text}.`, {
            from,
            background: [{ id: 'a1', kind: 'agent', description: 'looks' }],
          });
        return;
      case 'fault':
        await this.stage.hear({
          is: 'fault',
          from: this.stage.from(from),
          error: 'overloaded',
          detail: '',
          fatal: null,
        });
        return;
      case 'pause':
        return this.inTerminal((open) => pauseLoop(open, 'terminal', 'command', this.stage.runtime()));
      case 'cancel':
        return this.inTerminal((open) => cancelLoop(open, 'terminal', null, this.stage.runtime()));
      case 'go on':
        this.turns += 1;
        await this.stage.command('resume', '', { from: { prompt: `p${this.turns}` } });
        return;
      case 'raise':
        this.inTerminal((open) => {
          const iterations = (open.loop().frame.iterations ?? 0) + 1_000;
          resumeLoop(
            open,
            { by: 'terminal', session: 's1', process: 100, prompt: `p${this.turns}`, iterations },
            this.stage.runtime(),
          );
        });
        return;
      case 'notes':
        this.stage.write(`${this.read(this.file('progress'))}- ${text}\n`, { file: this.file('progress') });
    }
  }

  inTerminal(act: (open: OpenLoop) => unknown): void {
    const open = this.stage.store.open(this.loop().id);
    if (open === null) throw new Error('no loop');
    act(open);
    open.close();
  }

  file(kind: 'progress' | 'vault' | 'stack'): string {
    const file = this.loop().files.views.find((view) => view.kind === kind)?.file;
    if (file === undefined) throw new Error(`no ${kind} view`);
    return file;
  }

  /** The newest of the history where the loop has ended. */
  vault(): string {
    const state = this.file('vault');
    if (existsSync(this.stage.path(state))) return state;
    const folder = join('AI_Employee_Vault', 'Ralph_History');
    const names = readdirSync(this.stage.path(folder));
    return join(folder, names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).at(-1) ?? '');
  }

  read(file: string): string {
    return readFileSync(this.stage.path(file), 'utf8');
  }

  beside(): CardDetails {
    const loop = this.loop();
    const account = JSON.parse(this.read(this.vault())) as {
      iterations: { number: number; timestamp: string; completed: boolean }[];
      errors: { timestamp: string; message: string; fatal: boolean }[];
    };
    return {
      prompt: this.prompt.trim(),
      // What was said is the test's own; when, is the journal's.
      iterations: account.iterations.map(({ timestamp, completed }, k) => ({
        number: k + 1,
        timestamp,
        output_preview: this.said[k] ?? 'nothing',
        completed: completed && loop.status.is === 'completed',
      })),
      errors: account.errors,
      moved: null,
    };
  }
}

async function told({ prompt: text, limit, steps, end }: Parameters<Parameters<typeof history.map>[0]>[0]) {
  const story = new Story(text);
  story.begin(limit);
  for (const [step, word] of steps) await story.take(step, word);
  if (end !== null) await story.take(end, '');
  return story;
}

/** That a view was made is an event too, and makes it the older by that. */
function timeless(state: unknown): unknown {
  return isRecord(state) ? { ...state, updatedAt: null } : state;
}

const RUNS = { numRuns: 25 };

describe('views as loops keep them', () => {
  it('what each carries reads back the same, after any history', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        const story = await told(given);
        const loop = story.loop();
        const beside = story.beside();
        const { markdown, progress, vault, idle } = BENCHES;
        const view = hasEnded(loop) ? null : loop.files.view;
        const shown = view === null ? null : markdown.read(story.read(view));
        expect(shown).toEqual(view === null ? null : markdown.carried(loop, beside));
        expect(progress.read(story.read(story.file('progress')))).toEqual(progress.carried(loop, beside));
        expect(vault.read(story.read(story.vault()))).toEqual(vault.carried(loop, beside));
        expect(timeless(idle.read(story.read(story.file('stack'))))).toEqual(
          timeless(idle.carried(loop, beside)),
        );
        expect(beside.iterations).toHaveLength(loop.frame.passes);
        expect(story.stage.evidence()).toEqual([]);
      }),
      RUNS,
    );
  }, 120_000);

  it.each([
    ['progress', 'another limit amends', 'running'],
    ['vault', 'stopped cancels', 'cancelled'],
    ['idle', 'ABORT aborts', 'aborted'],
    ['idle', 'so does what is not active', 'aborted'],
  ] as const)(
    '%s: %s',
    async (kind, name, status) => {
      const edit = BENCHES[kind].edits.find((one) => one.name === name)?.edit;
      if (edit === undefined) throw new Error('no such edit');
      await fc.assert(
        fc.asyncProperty(history, async (given) => {
          const story = await told({ ...given, end: null });
          await story.take('raise', '');
          const file = kind === 'idle' ? story.file('stack') : story.file(kind);
          story.stage.write(edit(story.read(file), story.loop()), { file });
          await story.take('work', 'on');
          expect(story.loop().status.is).toBe(status);
          expect(story.loop().frame.iterations === OTHER_LIMIT).toBe(kind === 'progress');
          expect(hasEnded(story.loop())).toBe(status !== 'running');
        }),
        RUNS,
      );
    },
    120_000,
  );
});

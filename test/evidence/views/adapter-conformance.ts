/**
 * What every adapter of the view port owes (src/evidence/views/view.ts), on disk: it shows the loop, takes
 * over what people change, leaves what is not its own, never goes back to an older state, and reads what its
 * own tool wrote.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ViewKind } from '#law/record/definition.ts';
import { type Loop } from '#law/loop.ts';
import { isRecord } from '#base/shape.ts';
import { resumeLoop } from '#engine/steer/control.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { sourceOf, VIEW_FILES } from '#evidence/views/names.ts';
import type { View } from '#evidence/views/view.ts';
import { showViews } from '#evidence/views/views.ts';
import { GO_ON, claim, verdict } from '../../law/given.ts';
import { SECOND, Stage } from '../../engine/hearing/stage.ts';
import type { ImportedFields } from '#evidence/views/imported.ts';
import type { ViewBench } from './conformance.ts';

export interface AdapterBench {
  readonly format: Pick<ViewBench, 'read' | 'carried'>;
  /** What people may change, and what becomes of the loop. */
  readonly edit: {
    readonly by: (rendering: string) => string;
    readonly gives: { readonly status: Loop['status']['is']; readonly limit?: number };
  };
  /** What becomes of the loop when its file is deleted. */
  readonly gone: 'cancelled' | 'running';
  /** The rendering as if it were another loop's; null: the file belongs to no loop. */
  readonly anothers: ((rendering: string) => string) | null;
  /**
   * The files as the format's own tool writes them, by their names in a project, and which of them is named.
   */
  readonly theirs: {
    readonly files: Readonly<Record<string, string>>;
    readonly named: string;
    readonly says: { readonly prompt: string; readonly passes: number; readonly fields: ImportedFields };
  };
}

class Kept {
  readonly stage = new Stage();

  constructor(private readonly kind: ViewKind) {}

  async start(): Promise<void> {
    await this.stage.start(`Fix it. --max-iterations 20 --view ${this.kind}`);
    this.stage.wait(2 * SECOND);
  }

  get file(): string {
    const { view, views } = this.stage.loop().files;
    const file = this.kind === 'markdown' ? view : views.find(({ kind }) => kind === this.kind)?.file;
    if (file === undefined || file === null) throw new Error('the loop has no such view');
    return file;
  }

  read(): string {
    return this.stage.view(this.file);
  }

  /** As another process has it. */
  open(): OpenLoop {
    const open = this.stage.store.open(this.stage.loop().id);
    if (open === null) throw new Error('no loop');
    return open;
  }
}

export function adapterConformance(view: View, bench: AdapterBench): void {
  const { kind } = view;
  const begun = async () => {
    const kept = new Kept(kind);
    await kept.start();
    return kept;
  };
  const shows = (kept: Kept) => {
    const loop = kept.stage.loop();
    const beside = { prompt: 'Fix it.', iterations: [], errors: [], moved: null };
    expect(withoutPast(bench.format.read(kept.read()))).toEqual(
      withoutPast(bench.format.carried(loop, beside)),
    );
  };

  describe(`${kind} as an adapter`, () => {
    it('shows the loop from its start on, in a file that its table names', async () => {
      const kept = await begun();
      shows(kept);
      await kept.stage.stop();
      shows(kept);
      const name = basename(kept.file);
      expect(VIEW_FILES[kind].some((file) => new RegExp(`^${sourceOf(file.name, '.*')}$`).test(name))).toBe(
        true,
      );
      expect(kept.stage.evidence()).toEqual([]);
    });

    it('is settled and writes nothing while nobody touches it', async () => {
      const kept = await begun();
      const open = kept.open();
      const { events } = open.loop();
      expect(view.read(open, kept.file, kept.stage.runtime())).toBe('settled');
      expect(open.look().events).toBe(events);
      open.close();
    });

    it('an old rendering that someone saves again is not an edit', async () => {
      const kept = await begun();
      const old = kept.read();
      await kept.stage.stop();
      kept.stage.wait(5 * SECOND);
      kept.stage.write(old, { file: kept.file });
      await kept.stage.stop('More.');
      expect(kept.stage.loop()).toMatchObject({ status: { is: 'running' } });
      expect(kept.stage.loop().frame.iterations).toBe(20);
      shows(kept);
    });

    it('an edit is taken over', async () => {
      const kept = await begun();
      kept.stage.write(bench.edit.by(kept.read()), { file: kept.file });
      await kept.stage.stop();
      expect(kept.stage.status()).toBe(bench.edit.gives.status);
      expect(kept.stage.loop().frame.iterations).toBe(bench.edit.gives.limit ?? 20);
    });

    it('an edit of this very moment is neither believed nor replaced', async () => {
      const kept = await begun();
      const edited = bench.edit.by(kept.read());
      kept.stage.write(edited, { file: kept.file, ago: 0 });
      await kept.stage.stop();
      expect(kept.stage.status()).toBe('running');
      expect(kept.read()).toBe(edited);
    });

    it(`deleted, the loop is ${bench.gone}`, async () => {
      const kept = await begun();
      const { file } = kept;
      kept.stage.deleteView(file);
      await kept.stage.stop();
      expect(kept.stage.status()).toBe(bench.gone);
      expect(existsSync(kept.stage.path(file))).toBe(bench.gone === 'running');
    });

    it.runIf(bench.anothers !== null)("another loop's file in its place stays", async () => {
      const kept = await begun();
      const { file } = kept;
      const other = bench.anothers?.(kept.read()) ?? '';
      kept.stage.write(other, { file });
      await kept.stage.stop();
      expect(kept.stage.status()).toBe('cancelled');
      expect(kept.stage.view(file)).toBe(other);
    });

    it('a slow hook does not leave an older state in it', async () => {
      const kept = await begun();
      const slow = kept.open();
      const at = kept.stage.now();
      const n = slow.loop().stops + 1;
      kept.stage.append(claim(n, { at }));
      kept.stage.append(verdict(n, { at, verdict: GO_ON }));
      const fast = kept.open();
      showViews(fast, kept.stage.runtime());
      fast.close();
      shows(kept);
      showViews(slow, kept.stage.runtime());
      slow.close();
      expect(kept.stage.loop().frame.passes).toBe(1);
      shows(kept);
    });

    it('comes back when the loop is reopened', async () => {
      const kept = await begun();
      await kept.stage.command('cancel');
      expect(kept.stage.status()).toBe('cancelled');
      const open = kept.open();
      const again = { by: 'terminal', session: 's1', process: 100, prompt: null, iterations: null } as const;
      resumeLoop(open, again, kept.stage.runtime());
      open.close();
      expect(kept.stage.status()).not.toBe('cancelled');
      shows(kept);
    });

    it('reads what its own tool wrote, and writes nothing', () => {
      const stage = new Stage();
      const { files, named, says } = bench.theirs;
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(dirname(stage.path(file)), { recursive: true });
        writeFileSync(stage.path(file), content);
      }
      const path = stage.path(named);
      expect(view.import.knows({ path, is: 'file' })).toBe(true);
      const imported = view.import.from(path, stage.project, stage.runtime());
      if (!imported.ok) throw new Error(imported.message);
      expect(imported.project).toBe(stage.project);
      expect(imported.prompt.trim()).toBe(says.prompt);
      expect(imported.imported.passes).toBe(says.passes);
      expect(imported.fields).toMatchObject(says.fields);
      expect(contentsOf(stage)).toEqual(files);
    });

    it('refuses what is not there, in words', () => {
      const stage = new Stage();
      const imported = view.import.from(stage.path(bench.theirs.named), stage.project, stage.runtime());
      expect(imported).toMatchObject({ ok: false, message: expect.any(String), next: expect.any(String) });
    });
  });
}

/** The passes that ended, the errors, and when: `wired.test.ts` compares those. */
function withoutPast(state: unknown): unknown {
  if (!isRecord(state)) return state;
  const { errors: _errors, updatedAt: _updatedAt, iterations, ...rest } = state;
  return Array.isArray(iterations) ? rest : { ...rest, iterations };
}

function contentsOf(stage: Stage): Record<string, string> {
  const names = readdirSync(stage.project, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(stage.project.length + 1), readFileSync(path, 'utf8')]),
  );
}

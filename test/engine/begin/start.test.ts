/** The one start sequence, as every front end calls it. */
import { readdirSync } from 'node:fs';
import { framesOf } from '#law/loop.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { start, startedOnce, type StartOrder, type Started } from '#engine/begin/start.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Store } from '#store/store.ts';
import { put } from '../hearing/configured.ts';
import { Stage } from '../hearing/stage.ts';
import { parseStartWords } from '../../input/start-words.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

function order(words: readonly string[], over: Partial<StartOrder> = {}): StartOrder {
  const request = parseStartWords(words);
  if (!request.ok) throw new Error(request.message);
  const { project } = stage;
  return { request, project, host: 'h', actor: 'terminal', from: null, owns: null, view: true, ...over };
}

async function begin(words: readonly string[], over: Partial<StartOrder> = {}): Promise<Started> {
  const started = await start(order(words, over), stage.runtime());
  if (started.is === 'started') started.open.close();
  return started;
}

/** A project without any of it is the common case; each of these has its own tests. */
describe('refuses before anything is made', () => {
  it('a config that nobody has agreed to', async () => {
    put(stage, 'dacapo.config.json', '{"checks": {"test": "true"}}');
    expect(await begin(['Fix.'])).toMatchObject({ is: 'refused', ok: false, inTheWay: null });
  });

  it('a list without an open item', async () => {
    put(stage, 'todo.md', '- [x] done\n');
    expect(await begin(['Fix.', '--items', 'todo.md'])).toMatchObject({ is: 'refused', code: 'no-items' });
  });

  it('a done folder that is a file, in which nothing can arrive', async () => {
    put(stage, 'done', '');
    const words = ['Fix.', '--watch-file', 'task.md', '--done-folder'];
    expect(await begin([...words, 'done'])).toMatchObject({ is: 'refused', code: 'no-folder' });
    expect(await begin([...words, 'done/deeper'])).toMatchObject({ is: 'refused', code: 'no-folder' });
    expect(await begin([...words, 'not-there-yet'])).toMatchObject({ is: 'started' });
  });

  it('a second loop that would wait for the same prompt', async () => {
    await begin(['Fix.']);
    const { id } = stage.loop();
    expect(await begin(['Fix.'])).toMatchObject({
      is: 'refused',
      code: 'waits-already',
      next: `Give the prompt, or end it first: dacapo cancel ${id}`,
      inTheWay: { id },
    });
  });

  it('a second loop for the same session, and names the first', async () => {
    const { id } = await stage.start('Fix.');
    const from = stage.from({ prompt: 'p2' });
    expect(await begin(['Other.'], { from, owns: 'command' })).toMatchObject({
      is: 'refused',
      code: 'session-taken',
      inTheWay: { id },
    });
  });

  it.each([
    ['config', ['Fix.', '--config', 'missing.json']],
    ['items', ['Fix.', '--items', 'missing.md']],
  ])('and leaves nothing behind (%s)', async (_, words) => {
    expect((await begin(words)).is).toBe('refused');
    expect(stage.loops()).toEqual([]);
  });
});

describe('makes the loop', () => {
  it('for the host that is named', async () => {
    await begin(['Fix.'], { host: 'another-host' });
    expect(stage.loop()).toMatchObject({ host: 'another-host', status: { is: 'pending' } });
  });

  it('without an owner it waits for its prompt: of a list, for that of the first item', async () => {
    put(stage, 'todo.md', '- [ ] alpha\n- [ ] beta\n');
    const started = await begin(['Work.', '--items', 'todo.md']);
    if (started.is !== 'started') throw new Error(started.is);
    const loop = started.open.loop();
    expect(framesOf(loop).map(({ item }) => item?.title ?? null)).toEqual([null, 'alpha']);
    expect(stage.store.ready.find(stage.project, 'Work.')).toBeNull();
  });

  it('a run waits for no prompt', async () => {
    await begin(['Fix.', '--mode', 'fresh']);
    expect(stage.store.ready.find(stage.project, 'Fix.')).toBeNull();
  });

  it('once: a second delivery of the same prompt is known', async () => {
    const of = { from: stage.from(), owns: 'command' } as const;
    expect((await begin(['Fix.'], of)).is).toBe('started');
    const again = await begin(['Fix.'], of);
    expect(again).toEqual({ is: 'again' });
    expect(() => startedOnce(again)).toThrow('never delivered twice');
    expect(stage.loops()).toHaveLength(1);
  });
});

it.each(['markdown', 'vault', 'stack'] as const)(
  'leaves no %s view behind where the record could not take its name, and says so',
  async (kind) => {
    const runtime = stage.runtime();
    const errors: string[] = [];
    const make: Store['make'] = (created, prepare) => {
      const open = runtime.store.make(created, prepare);
      if (open === 'taken') return open;
      const write: OpenLoop['write'] = (event) => {
        if (event.type === 'viewed') throw Object.assign(new Error('no space is left'), { code: 'ENOSPC' });
        return open.write(event);
      };
      return { ...open, write };
    };
    const started = await start(order(['Fix.', '--view', kind]), {
      ...runtime,
      store: { ...runtime.store, make },
      onViewError: (_, why) => errors.push(String(why)),
    });
    expect(started.is).toBe('started');
    expect(errors).toEqual(['Error: no space is left']);
    const left = readdirSync(stage.project, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
    expect(stage.status()).toBe('pending');
  },
);

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Loop } from '#law/loop.ts';
import {
  readVault,
  readVaultFile,
  renderVault,
  vaultStatus,
  type VaultFacts,
} from '#evidence/views/vault/format.ts';
import { isStateFile } from '#evidence/views/names.ts';
import { VAULT, historyFile, vaultFile } from '#evidence/views/places.ts';
import { bound, created, passes, running, told } from '../../../law/given.ts';
import { temporaryFolder } from '../../../store/folder.ts';
import { STOP_JS } from '../../../surfaces/stop-hooks/stop-js.ts';

/** "State File Structure" of the vault format, as it stands there. */
const EXAMPLE = `{
  "loop_id": "RALPH_20260119_abc123",
  "prompt": "Process all invoices...",
  "max_iterations": 10,
  "completion_promise": "TASK_COMPLETE",
  "current_iteration": 3,
  "status": "running",
  "started_at": "2026-01-19T10:00:00Z",
  "iterations": [
    {
      "number": 1,
      "timestamp": "2026-01-19T10:00:05Z",
      "output_preview": "Processing invoice 1...",
      "completed": false
    }
  ],
  "errors": [],
  "paused_for_approval": false
}`;

const FACTS: VaultFacts = {
  prompt: 'Process all invoices...',
  iterations: [
    {
      number: 1,
      timestamp: '2026-01-19T10:00:05.000Z',
      output_preview: 'Processing invoice 1...',
      completed: false,
    },
  ],
  errors: [],
  awaitsApproval: false,
  moved: null,
};

/** The loop of the example. */
const loop: Loop = {
  ...told(
    created(
      { iterations: 10, gates: [{ kind: 'promise', text: 'TASK_COMPLETE' }] },
      '2026-01-19T10:00:00.000Z',
    ),
    bound(),
    ...passes(2),
  ),
  id: 'RALPH_20260119_abc123',
};

describe('the example of the vault format', () => {
  it('is what its loop looks like, with the watched file beside', () => {
    const rendered = renderVault(loop, FACTS);
    expect(rendered).toBe(
      EXAMPLE.replace(
        '"paused_for_approval": false\n',
        '"paused_for_approval": false,\n  "watch_file": null,\n  "done_folder": null\n',
      ) + '\n',
    );
    const moved = { file: 'Needs_Action/INVOICE_client.md', folder: 'Done/' };
    expect(JSON.parse(renderVault(loop, { ...FACTS, moved }))).toEqual({
      ...JSON.parse(EXAMPLE),
      watch_file: 'Needs_Action/INVOICE_client.md',
      done_folder: 'Done/',
    });
  });

  it('is read', () => {
    expect(readVaultFile(EXAMPLE)).toEqual({
      ok: true,
      id: 'RALPH_20260119_abc123',
      prompt: 'Process all invoices...',
      limit: 10,
      promise: 'TASK_COMPLETE',
      iteration: 3,
      status: 'running',
      startedAt: '2026-01-19T10:00:00Z',
      iterations: [
        {
          number: 1,
          timestamp: '2026-01-19T10:00:05Z',
          output_preview: 'Processing invoice 1...',
          completed: false,
        },
      ],
      errors: [],
      awaitsApproval: false,
      moved: null,
    });
  });

  it('is nobody’s edit', () => {
    expect(readVault(EXAMPLE, loop, null)).toEqual({ is: 'untouched' });
  });
});

type SeedHook = (context: { output: string }) => Promise<unknown>;

/** What the format's own hook says to a stop of this loop. */
async function hookSays(shown: Loop, facts: VaultFacts, output = 'Working.'): Promise<unknown> {
  const dir = temporaryFolder();
  const file = join(dir, vaultFile(VAULT, shown.id));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, renderVault(shown, facts));
  const module: { exports: SeedHook | null } = { exports: null };
  runInNewContext(STOP_JS, { module, require: createRequire(import.meta.url), process: { cwd: () => dir } });
  return JSON.parse(JSON.stringify(await module.exports?.({ output })));
}

describe('the hook of the vault format', () => {
  it('understands what is rendered', async () => {
    expect(await hookSays(loop, FACTS)).toEqual({
      allowExit: false,
      injectPrompt: 'Process all invoices...',
      message: 'Continuing loop (iteration 4/10)',
    });
    expect(await hookSays(loop, FACTS, '<promise>TASK_COMPLETE</promise>')).toMatchObject({
      allowExit: true,
    });
  });

  it('allows exactly as many passes', async () => {
    const ninth = running({ iterations: 10 }, ...passes(8));
    const tenth = running({ iterations: 10 }, ...passes(9));
    expect(await hookSays(ninth, FACTS)).toMatchObject({ allowExit: false });
    expect(await hookSays(tenth, FACTS)).toEqual({ allowExit: true, reason: 'Max iterations reached' });
  });

  it('goes on where there is no limit', async () => {
    expect(await hookSays(running({ iterations: null }, ...passes(60)), FACTS)).toMatchObject({
      allowExit: false,
    });
  });

  it('sees the file that was moved', async () => {
    const dir = temporaryFolder();
    const facts = { ...FACTS, moved: { file: 'Needs_Action/a.md', folder: join(dir, 'Done') } };
    expect(await hookSays(loop, facts)).toMatchObject({ allowExit: false });
    mkdirSync(join(dir, 'Done'));
    writeFileSync(join(dir, 'Done', 'a.md'), '');
    expect(await hookSays(loop, facts)).toEqual({ allowExit: true, reason: 'Task file moved to Done' });
  });
});

describe('what is rendered', () => {
  it('knows all six statuses of the format', () => {
    const awaiting = vaultStatus({ is: 'waiting', for: 'background' }, true);
    expect(awaiting).toBe('paused_awaiting_approval');
    expect(JSON.parse(renderVault(loop, { ...FACTS, awaitsApproval: true }))).toMatchObject({
      status: 'paused_awaiting_approval',
      paused_for_approval: true,
    });
    // A loop that is over awaits nothing.
    const cancelled: Loop = { ...loop, status: { is: 'cancelled', by: 'terminal', prompt: null } };
    expect(JSON.parse(renderVault(cancelled, { ...FACTS, awaitsApproval: true }))).toMatchObject({
      status: 'stopped',
      paused_for_approval: false,
    });
  });

  it('keeps the last hundred iterations and errors, in bounds and harmless', () => {
    const preview = `<promise>TASK_COMPLETE</promise>\u001B[31m\n${'x'.repeat(10_000)}`;
    const timestamp = '2026-01-19T10:00:05.123Z';
    const iterations = Array.from({ length: 250 }, (_, k) => ({
      number: k + 1,
      timestamp,
      output_preview: preview,
      completed: false,
    }));
    const errors = iterations.map(() => ({ timestamp, message: preview, fatal: false }));
    const rendered = renderVault(loop, { ...FACTS, iterations, errors });
    const read = readVaultFile(rendered);
    if (!read.ok) throw new Error(read.why);
    expect(read.iterations).toHaveLength(100);
    expect(read.iterations[0]?.number).toBe(151);
    expect(read.iterations[0]?.timestamp).toBe('2026-01-19T10:00:05Z');
    expect(read.errors).toHaveLength(100);
    expect(rendered).not.toContain('<promise>');
    expect(rendered.length).toBeLessThan(300_000);
  });

  it('has its place', () => {
    expect(vaultFile(VAULT, loop.id)).toBe(
      join('AI_Employee_Vault', 'Ralph_State', 'RALPH_20260119_abc123.json'),
    );
    expect(historyFile(VAULT, loop.id)).toBe(
      join('AI_Employee_Vault', 'Ralph_History', 'RALPH_20260119_abc123.json'),
    );
    expect(
      ['RALPH_20260119_abc123.json', 'RALPH_x.json.tmp', 'notes.json'].map((name) =>
        isStateFile('vault', name),
      ),
    ).toEqual([true, false, false]);
  });
});

describe('a file of others', () => {
  const file = (over: object) => readVaultFile(JSON.stringify({ prompt: 'Do it.', ...over }));

  it('has the defaults of the format where it says nothing', () => {
    expect(file({ max_iterations: null, iterations: null, errors: 'x' })).toMatchObject({
      ok: true,
      id: null,
      limit: 10,
      promise: null,
      iteration: 1,
      status: 'pending',
      startedAt: null,
      iterations: [],
      errors: [],
      moved: null,
    });
  });

  it.each<[string, string, string]>([
    ['no JSON', '{', 'it is not a JSON object'],
    ['a list', '[]', 'it is not a JSON object'],
    ['no prompt', '{}', 'it has no prompt'],
    [
      'a limit that is none',
      '{"prompt":"a","max_iterations":"ten"}',
      'max_iterations is not a positive number',
    ],
    ['no pass at all', '{"prompt":"a","max_iterations":0}', 'max_iterations is not a positive number'],
    [
      'a counter that is not a number',
      '{"prompt":"a","current_iteration":"3"}',
      'current_iteration is not a number',
    ],
    ['a broken counter', '{"prompt":"a","current_iteration":1.5}', 'current_iteration is not a number'],
  ])('%s is refused', (_name, content, why) => {
    expect(readVaultFile(content)).toEqual({ ok: false, why });
    expect(readVault(content, loop, null)).toEqual({ is: 'garbage', why });
  });

  it('a status that nobody knows is refused', () => {
    expect(file({ status: 'stop' })).toMatchObject({ ok: false });
  });
});

describe('stopped', () => {
  const rendered = renderVault(loop, FACTS);
  const stopped = rendered.replace('"running"', '"stopped"');

  it('cancels, however it is formatted', () => {
    expect(readVault(stopped, loop, rendered)).toEqual({ is: 'cancelled' });
    expect(readVault(JSON.stringify(JSON.parse(stopped)), loop, rendered)).toEqual({ is: 'cancelled' });
    expect(readVault(`\uFEFF${stopped.replaceAll('\n', '\r\n')}`, loop, rendered)).toEqual({
      is: 'cancelled',
    });
  });

  it('that we wrote ourselves cancels nothing once the loop is resumed', () => {
    expect(readVault(`${stopped}\n`, loop, stopped)).toEqual({ is: 'untouched' });
  });
});

describe('the published schema', () => {
  const ajv = new Ajv2020({ allErrors: true, validateFormats: false, allowUnionTypes: true });
  const schema: object = JSON.parse(
    readFileSync(new URL('../../../../schema/ralph-vault.schema.json', import.meta.url), 'utf8'),
  );
  const validate = ajv.compile(schema);

  it("takes the document's example, what is rendered, and what the reader takes", () => {
    for (const content of [EXAMPLE, renderVault(loop, FACTS), '{"prompt": "Do it."}']) {
      expect(readVaultFile(content)).toMatchObject({ ok: true });
      expect([validate(JSON.parse(content)), ajv.errorsText(validate.errors)]).toEqual([true, 'No errors']);
    }
  });

  it.each([
    '{}',
    '{"prompt": " "}',
    '{"prompt": "Do it.", "max_iterations": 0}',
    '{"prompt": "Do it.", "status": "done"}',
    '{"prompt": "Do it.", "current_iteration": "3"}',
  ])('refuses what the reader refuses: %s', (content) => {
    expect(readVaultFile(content).ok).toBe(false);
    expect(validate(JSON.parse(content))).toBe(false);
  });
});

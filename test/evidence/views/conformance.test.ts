/** The views as one: the suite that each runs, and the table in docs/views.md that tells what each shows. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Loop, Status } from '#law/loop.ts';
import { renderMarkdown, parseFrontMatter } from '#evidence/views/markdown/format.ts';
import { progressStatus, readProgressLines, renderProgress } from '#evidence/views/progress/format.ts';
import { readStackState, renderStack, stackEvent } from '#evidence/views/stack/format.ts';
import { readVaultFile, renderVault, vaultStatus } from '#evidence/views/vault/format.ts';
import { passes, running } from '../../law/given.ts';
import { BENCHES, promptFile } from './benches.ts';
import { viewConformance, type CardDetails } from './conformance.ts';

viewConformance('markdown', BENCHES.markdown);
viewConformance('progress', BENCHES.progress);
viewConformance('vault', BENCHES.vault);
viewConformance('stack', BENCHES.stack);
viewConformance('stack in its fallback file', BENCHES.idle);

describe('docs/views.md', () => {
  const rows = readFileSync(new URL('../../../docs/views.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));

  const by = 'terminal' as const;
  const statuses: readonly [string, Status][] = [
    ['pending', { is: 'pending' }],
    ['running', { is: 'running' }],
    ['waiting', { is: 'waiting', for: 'background' }],
    ['paused', { is: 'paused', by, why: 'command' }],
    ['interrupted', { is: 'interrupted', why: 'fault', detail: '' }],
    ['completed', { is: 'completed' }],
    ['exhausted (iterations)', { is: 'exhausted', limit: 'iterations' }],
    ['exhausted (time)', { is: 'exhausted', limit: 'time' }],
    ['stuck', { is: 'stuck', limit: 'staleness' }],
    ['escalated', { is: 'escalated', why: { is: 'asked', words: '' } }],
    ['cancelled', { is: 'cancelled', by, prompt: null }],
    ['aborted', { is: 'aborted', why: 'view', detail: '', evidence: null }],
  ];

  it.each(statuses)('says how %s is shown', (name, status) => {
    const { event, reason } = stackEvent(status);
    expect(rows).toContainEqual([
      name,
      parsed(renderMarkdown({ ...running(), status }, 'Do it.'), 'status'),
      progressStatus(status),
      vaultStatus(status, false),
      reason === null ? event : `${event} ${reason}`,
    ]);
  });

  it.each<[string, Loop]>([
    ['during the first pass', running({ iterations: 10 })],
    ['during the last of 10', running({ iterations: 10 }, ...passes(9))],
  ])('says how the pass is counted %s', (name, loop) => {
    const beside: CardDetails = { prompt: 'Do it.', iterations: [], errors: [], moved: null };
    const vault = readVaultFile(renderVault(loop, { ...beside, awaitsApproval: false }));
    const progress = readProgressLines(renderProgress(loop, null));
    const stack = readStackState(renderStack(loop, promptFile));
    const counted = [
      parsed(renderMarkdown(loop, 'Do it.'), 'iteration'),
      progress.ok ? progress.iteration : null,
      vault.ok ? vault.iteration : null,
      stack.is === 'active' ? stack.frames[0]?.iteration : null,
    ];
    expect(rows).toContainEqual([name, ...counted.map(String)]);
  });
});

function parsed(rendering: string, key: string): string | null {
  const matter = parseFrontMatter(rendering);
  return matter.ok ? (matter.fields.get(key) ?? null) : null;
}

// Loops for the page's tests and screenshots: real journals, written through the store, with whatever times
// and words a test wants.
import { mkdirSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { hash } from '#base/hash.ts';
import type { Event, EventOf, RequestKind } from '#law/record/events.ts';
import type { Gate, FeaturesProof } from '#law/record/definition.ts';
import type { CheckProof, Missing, Verdict } from '#law/record/verdict.ts';
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import { nextRequestId } from '#law/waiting/requests.ts';
import { keepEvidence } from '#store/evidence.ts';
import { findHome } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { keepPrompt } from '#store/prompts.ts';
import type { Store } from '#store/store.ts';

const MINUTE = 60_000;

/** The id of no process. */
export const DEAD = 2 ** 22 - 7;

export interface Wanted {
  readonly id: string;
  readonly project: string;
  readonly prompt: string;
  readonly name?: string;
  readonly driver?: 'hook' | 'fresh';
  readonly checks?: readonly string[];
  readonly promise?: string;
  readonly features?: { readonly file: string; readonly total: number };
  readonly iterations?: number | null;
  readonly costUsd?: number;
  readonly timeMs?: number;
  readonly model?: string;
  readonly protect?: readonly string[];
  /** Calls that need an approval. */
  readonly approve?: readonly string[];
  /** A person confirms the completion. */
  readonly approveDone?: boolean;
  /** In ms since 1970. */
  readonly startedAt: number;
}

export interface Pass {
  readonly ms?: number;
  readonly words?: string;
  /** What the agent claims: then the checks run. */
  readonly claims?: boolean;
  /** The failing checks, with their output; the others pass. */
  readonly failing?: Readonly<Record<string, string>>;
  readonly passing?: number;
  readonly costUsd?: number;
  readonly estimated?: boolean;
  readonly verdict?: Verdict;
  readonly tokens?: number;
}

export class Seeded {
  readonly store: Store;
  readonly open: OpenLoop;
  readonly wanted: Wanted;
  now: number;

  constructor(store: Store, open: OpenLoop, wanted: Wanted) {
    this.store = store;
    this.open = open;
    this.wanted = wanted;
    this.now = wanted.startedAt;
  }

  get id(): string {
    return this.wanted.id;
  }

  at(ms = 0): string {
    this.now += ms;
    return new Date(this.now).toISOString();
  }

  write(event: Event): void {
    this.open.write(event);
  }

  /** A session or a process takes it. `process`: one that lives makes the loop run. */
  take(process: number): void {
    const machine = this.store.machine();
    const { driver = 'fresh', model = null } = this.wanted;
    const n = this.open.loop().events + 1;
    // Nobody lives who took it before the machine was booted.
    if (process !== DEAD) this.now = Math.max(this.now, Date.now() - uptime() * 1_000);
    this.write(
      driver === 'fresh'
        ? { type: 'taken', at: this.at(500), n, session: `5e55-${n}`, pass: `p${n}`, process, machine, model }
        : {
            type: 'bound',
            at: this.at(500),
            session: '5e55-1',
            process,
            machine,
            prompt: 'p1',
            how: 'command',
          },
    );
  }

  /** One pass with its stop and its verdict. */
  pass(process: number, given: Pass = {}): void {
    const {
      ms = 3 * MINUTE,
      words = 'Working on it.',
      claims = false,
      costUsd = 0.12,
      tokens = 40_000,
    } = given;
    if ((this.wanted.driver ?? 'fresh') === 'fresh' || this.open.loop().session.owner === null)
      this.take(process);
    const {
      stops,
      session: { owner },
    } = this.open.loop();
    const n = stops + 1;
    this.write({
      type: 'stop',
      at: this.at(ms),
      n,
      session: owner?.session ?? '5e55-1',
      prompt: 'p1',
      words: `${words} ${n}`,
      process,
      machine: this.store.machine(),
      started: this.at(),
      continuedByHook: false,
    });
    const proofs = claims ? this.proofs(n, given.failing ?? {}) : [];
    const features = this.featuresProof(given.passing);
    this.write({
      type: 'verdict',
      at: this.at(2_000),
      n,
      verdict: given.verdict ?? this.verdict(proofs, claims, features),
      proofs,
      gateResults: [],
      features,
      cap: null,
      toolUsed: true,
      queue: { offset: 0, waiting: 0 },
      used: { costUsd, tokens, ...(given.estimated === true && { estimated: true }) },
      context: { tokens: Math.min(180_000, 20_000 + n * 9_000), window: 200_000 },
      tree: null,
      stalls: 0,
      preview: words,
    });
  }

  private proofs(n: number, failing: Readonly<Record<string, string>>): CheckProof[] {
    return (this.wanted.checks ?? []).map((command, k) => {
      const tail = failing[command];
      const output = tail ?? `> ${command}\n\nAll good.\n`;
      return {
        name: null,
        command,
        outcome: tail === undefined ? { is: 'passed' } : { is: 'failed', exit: 1, tail },
        ms: 1_800 + 900 * k,
        evidence: keepEvidence(this.open.blobs, `stop-${n}-check-${k + 1}.txt`, output),
      };
    });
  }

  private verdict(proofs: readonly CheckProof[], claims: boolean, features: FeaturesProof | null): Verdict {
    const { promise } = this.wanted;
    const missing: Missing[] = [
      ...(promise !== undefined && !claims
        ? [{ gate: 'promise' as const, wanted: promise, seen: null }]
        : []),
      ...proofs.flatMap(({ name, command, outcome }) =>
        outcome.is === 'failed'
          ? [{ gate: 'check' as const, name, command, outcome: `failed with exit code ${outcome.exit}` }]
          : [],
      ),
      ...(features?.is === 'read' && features.facts.next !== null
        ? [
            {
              gate: 'features' as const,
              says: `${features.facts.name}: ${features.facts.passing} of ${features.facts.total} items pass`,
            },
          ]
        : []),
    ];
    return missing.length === 0 && claims
      ? { is: 'complete' }
      : { is: 'continue', missing, shells: [], capped: false, popped: [], item: null };
  }

  private featuresProof(passing = 0): FeaturesProof | null {
    const list = this.wanted.features;
    return list === undefined ? null : featuresAt(list, passing);
  }

  /** The loop asks for an approval. Returns the id of the request. */
  ask(
    text = 'Bash: git push',
    at = this.at(),
    expiresMs = 3_600_000,
    kind: RequestKind = 'approval',
  ): string {
    const id = nextRequestId(this.open.loop());
    this.write({
      type: 'requested',
      at,
      id,
      kind,
      what: { tool: kind === 'approval' ? 'Bash' : null, digest: kind === 'approval' ? id : null, text },
      why: kind === 'approval' ? 'It matches the rule `Bash(git push *)`.' : '',
      expires: new Date(Date.now() + expiresMs).toISOString(),
    });
    return id;
  }

  /** The last request that the loop made. */
  requestId(): string {
    return this.open.loop().people.requests.at(-1)?.id ?? '';
  }

  /** What the agent says and does in the pass under way. */
  says(file: string, ...content: readonly object[]): void {
    const path = join(this.open.folder('evidence'), file);
    mkdirSync(dirname(path), { recursive: true });
    const lines = content.map(
      (one) => `${JSON.stringify({ type: 'assistant', message: { id: 'm', content: [one] } })}\n`,
    );
    writeFileSync(path, lines.join(''), { flag: 'a' });
  }

  close(): void {
    this.open.keep();
    this.open.close();
  }
}

function featuresAt({ file, total }: { file: string; total: number }, passing: number): FeaturesProof {
  const next =
    passing >= total
      ? null
      : { id: `F${passing + 1}`, description: `Feature ${passing + 1}`, steps: [], model: null, mark: null };
  return { is: 'read', facts: { name: file, format: 'feature-list', passing, total, next } };
}

export function seed(home: string, wanted: Wanted): Seeded {
  const store = fileStore(findHome({ DACAPO_HOME: home }, process.platform));
  const gates: Gate[] = [
    ...(wanted.promise === undefined ? [] : [{ kind: 'promise' as const, text: wanted.promise }]),
    ...(wanted.checks ?? []).map((command) => ({
      kind: 'check' as const,
      name: null,
      command,
      timeoutMs: 600_000,
      begun: 'failed' as const,
    })),
    ...(wanted.features === undefined
      ? []
      : [{ kind: 'features' as const, file: wanted.features.file, begun: featuresAt(wanted.features, 0) }]),
  ];
  const created: EventOf<'created'> = {
    type: 'created',
    at: new Date(wanted.startedAt).toISOString(),
    version: 2,
    id: wanted.id,
    project: wanted.project,
    host: 'claude-code',
    by: { actor: 'terminal', session: null, prompt: null },
    definition: {
      mode: 'loop',
      prompt: hash(wanted.prompt),
      gates,
      require: 'all',
      atLeast: 0,
      iterations: wanted.iterations === undefined ? 20 : wanted.iterations,
      items: null,
      name: wanted.name ?? null,
      driver: wanted.driver ?? 'fresh',
      timeMs: wanted.timeMs ?? 60 * MINUTE,
      staleMs: 24 * 60 * MINUTE,
      checking: { parallel: 1, timeoutMs: 600_000 },
      config: null,
      costUsd: wanted.costUsd ?? null,
      tokens: null,
      stalls: 5,
      stallsAsked: false,
      passes: 0,
      views: [],
      protect: [...(wanted.protect ?? [])],
      baseline: null,
      ...((wanted.approve !== undefined || wanted.approveDone) && {
        approvals: {
          rules: [...(wanted.approve ?? [])],
          done: wanted.approveDone ?? false,
          timeoutMs: 24 * 60 * MINUTE,
          policy: 'file' as const,
          folder: null,
        },
      }),
    },
  };
  const made = store.make(created, ({ blobs }) => {
    keepPrompt(blobs, wanted.prompt);
  });
  if (made === 'taken') throw new Error(`there is a loop ${wanted.id} already`);
  const seeded = new Seeded(store, made, wanted);
  if (wanted.driver !== 'hook')
    seeded.write({
      type: 'planned',
      at: seeded.at(),
      by: 'terminal',
      plan: { ...DEFAULT_PLAN, model: wanted.model ?? null },
    });
  return seeded;
}

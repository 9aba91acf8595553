/**
 * The world of one leased loop, in memory: what its worker has asked and not heard of yet, its child, and the
 * record. A step that breaks a rule of the fleet throws.
 */
import assert from 'node:assert/strict';
import type { StatusWord } from '#law/loop.ts';
import type { Shipment } from '#fleet/ship.ts';
import type { FromChild, Settle } from '#fleet/worker/protocol.ts';
import type { LoopEffect, LoopNews, LoopState, RecordAnswer } from '#fleet/worker/leased-loop/state.ts';
import { initialState } from '#fleet/worker/leased-loop/state.ts';
import { stepLoop } from '#fleet/worker/leased-loop/step.ts';
import { leasedRow } from './leased-row.ts';

export const LEASE_MS = 10_000;
export const [BASE, HEAD] = ['a'.repeat(40), 'b'.repeat(40)];
const RECORD = { events: [], files: [], inbox: [], lost: null };
export const LOADED: RecordAnswer = { is: 'loaded', record: RECORD };
export const OURS = { is: 'ours', inbox: [], mostUsd: null } as const;

export function shipment(from: number, costUsd = 0, status: StatusWord = 'running'): Shipment {
  const summary = { status, report: { cost_usd: costUsd, tokens: 0 } } as Shipment['summary'];
  const events = [{ type: 'compacted', at: `event ${from + 1}` }] as unknown as Shipment['events'];
  return { from, events, files: [], removedFiles: [], summary, applied: 0 };
}

export const settle = (barrier: Settle['barrier'], from: number, costUsd = 0): Settle => ({
  is: 'settle',
  barrier,
  shipment: shipment(from, costUsd),
  base: BASE,
  point: barrier === 'recorded' ? String(from) : null,
});

export const said = (message: FromChild): LoopNews => ({ is: 'child-said', message });

export const answered = (n: number, answer: RecordAnswer): LoopNews => ({ is: 'answered', n, answer });

export const EXITED: LoopNews = { is: 'child-exited', how: 'SIGKILL', complaint: '' };

export const PUSHED = {
  is: 'point-pushed',
  point: 'c'.repeat(40),
  point_ref: 'refs/dacapo/x/1/1',
  head: HEAD,
} as const;

export const AWAY = { is: 'away', why: 'connection refused' } as const;

export class World {
  state: LoopState;
  at = 0;
  readonly pending: LoopEffect[] = [];
  child: 'none' | 'preparing' | 'in-pass' | 'settling' | 'ended' = 'none';
  isStopAsked = false;
  /** Somebody else has the loop. */
  isTaken = false;
  hasHeardOfLoss = false;
  mayPush: string | null = null;
  ended = 0;
  children = 0;
  written = 0;
  /** The shipments that the record has. One that comes again, because its answer was lost, is the same. */
  readonly recorded = new Set<number>();
  readonly notified: string[] = [];

  constructor() {
    this.state = initialState(leasedRow({ branch: 'dacapo/x' }), 0, LEASE_MS);
    this.tell({ is: 'started' });
  }

  tell(news: LoopNews): void {
    const { state, effects } = stepLoop(this.state, { ...news, at: this.at });
    this.state = state;
    for (const effect of effects) this.perform(effect);
  }

  private perform(effect: LoopEffect): void {
    assert(this.ended === 0 || ['notify', 'show'].includes(effect.is), `${effect.is} after the end`);
    switch (effect.is) {
      case 'start-child':
        this.children++;
        assert(this.children === 1, 'two children');
        this.child = 'preparing';
        return;
      case 'tell-child':
        return this.tellChild(effect);
      case 'kill-child':
        return this.exit();
      case 'git': {
        const { order } = effect;
        // Nothing is pushed unless the record has just said that the loop is ours.
        assert(!this.hasHeardOfLoss, 'a push of a lost loop');
        if (order.is === 'push-point') assert.equal(this.mayPush, 'point');
        if (order.is === 'push-branch') assert.equal(this.mayPush, `${order.from} ${order.to}`);
        this.mayPush = null;
        this.pending.push(effect);
        return;
      }
      case 'ask':
        // Nobody else may have the loop while a child works on it.
        if (effect.ask.is === 'release') assert(!this.hasChild(), 'released while a child works');
        this.pending.push(effect);
        return;
      case 'wait':
      case 'tidy':
        this.pending.push(effect);
        return;
      case 'end':
        this.ended++;
        assert(!this.hasChild(), 'over while a child works');
        return;
      case 'notify':
        this.notified.push(...effect.events.map(({ at }) => at));
        return;
      case 'abort-git':
      case 'end-lost-pass':
      case 'show':
    }
  }

  private tellChild({ message }: Extract<LoopEffect, { is: 'tell-child' }>): void {
    if (message.is === 'stop') this.isStopAsked = true;
    if (message.is !== 'settled' || this.child === 'ended') return;
    // One answer for each question.
    assert.equal(this.child, 'settling');
    this.child = this.state.pass !== null ? 'in-pass' : 'preparing';
  }

  private hasChild(): boolean {
    return this.child !== 'none' && this.child !== 'ended';
  }

  exit(): void {
    if (!this.hasChild()) return;
    this.child = 'ended';
    this.tell(EXITED);
  }

  /** What can happen now, what goes well first. */
  moves(): (() => void)[] {
    const moves = this.pending.flatMap((effect, k) =>
      this.answersTo(effect).map((answer) => () => {
        this.pending.splice(k, 1);
        answer();
      }),
    );
    if (this.child === 'preparing' && !this.isStopAsked)
      moves.push(
        () => this.settle('taken'),
        () => this.tell(said({ is: 'done', shipment: shipment(this.written), release: { until: null } })),
      );
    if (this.child === 'in-pass' && !this.isStopAsked)
      moves.push(
        () => this.settle('recorded'),
        () => this.tell(said({ is: 'stands' })),
      );
    if (this.hasChild()) moves.push(() => this.exit());
    return moves;
  }

  /** What may happen at any time. */
  strikes(): (() => void)[] {
    return [
      () => (this.isTaken = true),
      () => this.heartbeat(),
      () => this.tell({ is: 'look' }),
      () => this.tell({ is: 'drain', when: 'end-of-pass' }),
      () => this.tell({ is: 'drain', when: 'at-once' }),
      () => (this.at += 3_000),
      () => this.tell({ is: 'broke', why: 'no disk' }),
    ];
  }

  heartbeat(): void {
    if (this.isTaken) this.hasHeardOfLoss = true;
    this.tell(this.isTaken ? { is: 'fenced' } : { is: 'renewed', sentAt: this.at });
  }

  private settle(barrier: Settle['barrier']): void {
    this.child = 'settling';
    this.written++;
    this.tell(said(settle(barrier, this.written)));
  }

  private answersTo(effect: LoopEffect): (() => void)[] {
    if (effect.is === 'wait') return [() => this.tell({ is: 'waited', n: effect.n })];
    if (effect.is === 'tidy') return [() => this.tell({ is: 'tidied' })];
    if (effect.is === 'git')
      return [
        () => this.git(effect.n, effect.order),
        () => this.tell({ is: 'git', n: effect.n, result: { is: 'git-failed', why: 'no' } }),
      ];
    if (effect.is !== 'ask') return [];
    const { n, ask } = effect;
    return [
      () => this.answer(n, ask),
      () => this.tell({ is: 'failed', n, ask, failure: AWAY }),
      () => this.loseAnswer(n, ask),
      () => this.tell({ is: 'failed', n, ask, failure: { is: 'refused', why: 'no' } }),
    ];
  }

  private git(n: number, order: Extract<LoopEffect, { is: 'git' }>['order']): void {
    if (order.is === 'push-point') return this.tell({ is: 'git', n, result: PUSHED });
    if (order.is === 'read-branch')
      return this.tell({ is: 'git', n, result: { is: 'branch-read', from: BASE } });
    this.tell({ is: 'git', n, result: { is: 'branch-pushed', head: order.to } });
  }

  /** The record has it, and the worker hears nothing of that. */
  private loseAnswer(n: number, ask: Extract<LoopEffect, { is: 'ask' }>['ask']): void {
    if (ask.is === 'record-pass' && !this.isTaken) this.recorded.add(ask.shipment.from);
    if (ask.is === 'release') this.isTaken = true;
    this.tell({ is: 'failed', n, ask, failure: AWAY });
  }

  /** As the record does: what a worker says of a loop that is another's is refused. */
  answer(n: number, ask: Extract<LoopEffect, { is: 'ask' }>['ask']): void {
    const isCurrent = n === this.state.n;
    const shipped = this.isTaken ? ({ is: 'lost' } as const) : OURS;
    if (this.isTaken && isCurrent && ask.is !== 'load') this.hasHeardOfLoss = true;
    switch (ask.is) {
      case 'load':
        return this.tell(answered(n, LOADED));
      case 'begin-pass':
        return this.tell(answered(n, { is: 'begun', shipped, events: ask.shipment.events }));
      case 'holds-lease':
        if (isCurrent && !this.isTaken) this.mayPush = 'point';
        return this.tell(answered(n, { is: 'lease', isHeld: !this.isTaken }));
      case 'permit-push': {
        const permit = this.isTaken ? 'lost' : 'ours';
        if (isCurrent && !this.isTaken) this.mayPush = `${ask.push.from} ${ask.push.to}`;
        return this.tell(answered(n, { is: 'permit', permit, push: ask.push }));
      }
      case 'record-pass':
        if (!this.isTaken) this.recorded.add(ask.shipment.from);
        return this.tell(answered(n, { is: 'recorded', shipped, events: ask.shipment.events }));
      case 'set-aside':
      case 'release':
        if (!this.isTaken) this.isTaken = true;
        return this.tell(answered(n, { is: 'released', isReleased: shipped.is === 'ours', events: [] }));
    }
  }
}

/**
 * What really happened in a schedule, whatever any process believes: passes of hosts with what they cost, and
 * what people said. The auditor compares the record with it.
 */
import type { Scheduler } from './time.ts';

/** A rule of the fleet is broken. */
export class Violation extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

export interface Pass {
  readonly nonce: string;
  readonly loop: string;
  readonly epoch: number;
  readonly worker: string;
  readonly account: string;
  readonly began: number;
  costUsd: number;
  /** Stopped where it stands. */
  isStanding: boolean;
  endedAt: number | null;
  /** The host has ended by itself, so the pass is worth something. */
  isWhole: boolean;
  /** Its child knew at once. One that hangs hears it later, and its worker may give it up before. */
  isHeard: boolean;
}

/** What a person asked, and what became of it as far as the person knows. */
export interface Word {
  readonly loop: string;
  readonly is: 'steer' | 'cancel' | 'pause' | 'resume' | 'answer' | 'amend';
  /** Unique. */
  readonly words: string;
  readonly sentAt: number;
  answeredAt: number | null;
  outcome: 'open' | 'done' | 'refused' | 'unknown';
}

export class Facts {
  readonly passes: Pass[] = [];
  readonly words: Word[] = [];
  /** The last event of a loop that its driver has left for good, by loop and epoch. */
  readonly left = new Map<string, number>();
  readonly #live = new Map<string, Set<Pass>>();
  readonly #scheduler: Scheduler;
  readonly #fail: (violation: Violation) => void;

  constructor(scheduler: Scheduler, fail: (violation: Violation) => void) {
    this.#scheduler = scheduler;
    this.#fail = fail;
  }

  begin(pass: Pick<Pass, 'nonce' | 'loop' | 'epoch' | 'worker' | 'account'>): Pass {
    const begun = { ...pass, began: this.#scheduler.now, costUsd: 0, isStanding: false, endedAt: null };
    const whole = { ...begun, isWhole: false, isHeard: false };
    this.passes.push(whole);
    this.#live.set(pass.loop, (this.#live.get(pass.loop) ?? new Set()).add(whole));
    this.#scheduler.trace(`${pass.worker} begins pass ${pass.nonce} of ${pass.loop}/${pass.epoch}`);
    this.lookAtLive(pass.loop);
    return whole;
  }

  /** No loop ever has two passes that run. */
  lookAtLive(loop: string): void {
    const live = [...(this.#live.get(loop) ?? [])].filter(({ isStanding }) => !isStanding);
    if (live.length > 1)
      this.#fail(
        new Violation('two live passes', live.map((one) => `${one.nonce} on ${one.worker}`).join(', ')),
      );
  }

  end(pass: Pass, isWhole: boolean): void {
    if (pass.endedAt !== null) return;
    pass.endedAt = this.#scheduler.now;
    this.#live.get(pass.loop)?.delete(pass);
    pass.isWhole = isWhole;
    this.#scheduler.trace(`pass ${pass.nonce} ${isWhole ? 'ends' : 'is ended'}`);
  }
}

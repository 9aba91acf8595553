/** Which host carries on at a usage limit: read from the journal alone. */
import { describe, expect, it } from 'vitest';
import type { Event } from '#law/record/events.ts';
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import { hostsIn, nextHost } from '#engine/driver/fallback.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const taken = (host: string) => ({ type: 'taken', at: at(0), host }) as Event;
const limit = (until: string) => ({ type: 'faulted', at: at(0), fault: 'limit', until }) as Event;
const NAMES = ['claude-code', 'codex', 'gemini'];

describe('the next host', () => {
  it('is the first that is at no limit', () => {
    const hosts = hostsIn([taken('claude-code'), limit(at(30))]);
    expect(nextHost(NAMES, hosts, at(1))).toEqual({ name: 'codex', until: null });
    expect(nextHost(NAMES, hosts, at(31))).toEqual({ name: 'claude-code', until: null });
  });

  it('is the one whose limit ends first, if all are at theirs', () => {
    const limits = [30, 20, 40].flatMap((minute, n) => [taken(NAMES[n] ?? ''), limit(at(minute))]);
    expect(nextHost(NAMES, hostsIn(limits), at(1))).toEqual({ name: 'codex', until: at(20) });
  });

  it('is at no limit any more once a stop of it was judged', () => {
    const events = [
      taken('claude-code'),
      limit(at(30)),
      taken('claude-code'),
      { type: 'verdict', at: at(2) } as Event,
    ];
    expect(hostsIn(events).get('claude-code')?.until).toBeNull();
  });

  it('gets back what its own passes were asked for with', () => {
    const planned = (model: string | null) =>
      ({ type: 'planned', at: at(0), by: 'terminal', plan: { ...DEFAULT_PLAN, model } }) as Event;
    const hosts = hostsIn([planned('opus'), taken('claude-code'), planned(null), taken('codex')]);
    expect(hosts.get('claude-code')?.plan?.model).toBe('opus');
  });
});

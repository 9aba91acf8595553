/**
 * Which host takes over when one is at its usage limit. Everything that this depends on is in the journal.
 */
import type { Event } from '#law/record/events.ts';
import { planOf } from '#law/loop.ts';
import { DEFAULT_PLAN, forOtherHost, type Plan } from '#law/record/plan.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { findProgram } from '#hosts/port/program.ts';
import { fitHost, type HostWork } from '../begin/run.ts';
import type { Runtime } from '#store/runtime.ts';
import { clockTime } from '#telling/time.ts';
import type { Drive, FreshRun } from './options.ts';
import { resumeHere } from './wait.ts';

const AT_LIMIT = 'is at its usage limit';

/** When its limit ends, if it is at one, and how its last pass was asked for. */
interface KnownLimit {
  readonly until?: string | null;
  readonly plan?: Plan;
}

export function hostsIn(events: readonly Event[]): ReadonlyMap<string, KnownLimit> {
  const hosts = new Map<string, KnownLimit>();
  let [host, plan] = ['', DEFAULT_PLAN];
  const learn = (more: KnownLimit) => hosts.set(host, { ...hosts.get(host), ...more });
  for (const event of events) {
    if (event.type === 'planned') ({ plan } = event);
    if (event.type === 'created' || event.type === 'taken') host = event.host ?? host;
    if (event.type === 'taken') learn({ plan });
    if (event.type === 'verdict') learn({ until: null });
    if (event.type === 'faulted' && event.fault === 'limit') learn({ until: event.until });
    // Without a reserve, it is the wait for a limit that is known, and maybe that of another host.
    if (event.type === 'held' && event.reserve) learn({ until: event.until });
  }
  return hosts;
}

/**
 * The first of these that is at no limit; if all are, the one whose limit ends first. `until`: null if it may
 * begin now.
 */
export function nextHost(names: readonly string[], hosts: ReadonlyMap<string, KnownLimit>, now: string) {
  const limits = names.map((name) => {
    const until = hosts.get(name)?.until ?? null;
    return { name, until: until !== null && Date.parse(until) > Date.parse(now) ? until : null };
  });
  const free = limits.find(({ until }) => until === null);
  return free ?? limits.toSorted((a, b) => Date.parse(a.until ?? '') - Date.parse(b.until ?? ''))[0] ?? null;
}

export function fitByName(name: string, work: HostWork, runtime: Runtime) {
  const adapter = hostOf({ host: name });
  const found = findProgram(adapter, runtime.env);
  if (!found.ok) return found;
  const on = { host: adapter.headless, program: found.program };
  const fit = fitHost(on, work, runtime);
  return fit.ok ? { ok: true as const, ...on, permissionMode: fit.permissionMode } : fit;
}

/**
 * For a loop at the usage limit of its host: the run with the host that carries on, now or after a shorter
 * wait. Null: the run stays as it is.
 */
export function switchHost({ open, run, runtime }: Drive): FreshRun | null {
  const loop = open.loop();
  const { fallbackHosts = [] } = planOf(loop);
  if (fallbackHosts.length === 0) return null;
  const hosts = hostsIn(open.journal.read(0).events);
  const names = new Set([run.host.name, ...hosts.keys(), ...fallbackHosts]);
  for (;;) {
    const next = nextHost([...names], hosts, runtime.now());
    if (next === null || next.name === run.host.name) return null;
    const plan = forOtherHost(planOf(loop), hosts.get(next.name)?.plan);
    const { project, limits } = loop;
    const fit = fitByName(next.name, { project, plan, costUsd: limits.costUsd }, runtime);
    if (!fit.ok) {
      run.tell({ is: 'warning', text: `${next.name} can't take over: ${fit.message}` });
      names.delete(next.name);
      continue;
    }
    open.write({ type: 'planned', at: runtime.now(), by: 'terminal', plan });
    const when = next.until === null ? 'takes over' : `is the first to be free, at ${clockTime(next.until)}`;
    const at = 'reserve' in loop.status && loop.status.reserve ? 'has reached its reserve' : AT_LIMIT;
    run.tell({ is: 'warning', text: `${run.host.name} ${at}; ${next.name} ${when}` });
    if (next.until === null) resumeHere({ open, run, runtime });
    else open.write({ type: 'held', at: runtime.now(), for: 'limit', until: next.until });
    open.keep();
    return { ...run, ...fit };
  }
}

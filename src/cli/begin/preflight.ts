/** Checks the host before anything is created or paid for: its version, its login and what its agents may do. */
import type { Plan } from '../../core/record/plan.ts';
import { refuseUntrusted } from '../../operations/trust/trust-host.ts';
import type { Runtime } from '../../store/runtime.ts';
import { HOST } from '../../hosts/default-host.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { failFor } from '../terminal/terminal.ts';

export interface HostReady {
  readonly permissionMode: string | null;
  readonly warnings: readonly string[];
}

/** Returns a number if the host can't work. The person has been told why; exit with that code. */
export function lookAtHost(program: string, project: string, plan: Plan, world: Runtime): HostReady | number {
  const place = { project, env: process.env, platform: process.platform };
  // Before the host is even asked for its version: that would start it here.
  const untrusted = HOST.headless.untrusted(place);
  const refusal = untrusted && refuseUntrusted(project, untrusted, world);
  if (refusal !== null) return failFor(refusal);
  const permissionMode = plan.permissionMode ?? HOST.headless.unattendedMode(place);
  const findings = HOST.headless.preflight({
    ...place,
    program,
    uid: process.getuid?.() ?? null,
    pass: { permissionMode, allowedTools: plan.tools, extra: plan.extra },
  });
  const problem = findings.find(({ level }) => level === 'problem');
  if (problem !== undefined) {
    const { id, says, remedy } = problem;
    const next = remedy ?? 'dacapo doctor finds the cause.';
    return failFor({ ok: false, code: id, message: says, next }, EXIT.fatal);
  }
  const warnings = findings.filter(({ level }) => level === 'warning');
  return {
    permissionMode,
    warnings: warnings.map(({ says, remedy }) => (remedy === null ? says : `${says} ${remedy}`)),
  };
}

import { exitCode } from '#hosts/exit-code/host.ts';
import { PAYLOADS } from '../claude-code/payloads.ts';
import { hostConformance } from '../conformance.ts';

hostConformance({
  host: exitCode,
  env: {},
  payloads: PAYLOADS,
  read: ({ stdout, stderr, exit }, { is }) => {
    const { reason } = stdout.startsWith('{')
      ? (JSON.parse(stdout) as { reason: string })
      : { reason: stdout };
    // Of a stop that goes on, a host reads the one or the other: both must do.
    const toAgent = is === 'tool' ? stderr : reason;
    if (is === 'stop' && exit === 2 && !toAgent.includes(stderr.trimEnd())) throw new Error('they differ');
    return { toAgent, toPerson: stderr };
  },
  letsThrough: ({ exit }) => exit === 0,
});

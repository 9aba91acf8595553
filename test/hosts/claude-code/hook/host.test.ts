import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { claudeCode } from '#hosts/claude-code/hook/host.ts';
import { hostConformance } from '../../conformance.ts';
import { PAYLOADS } from '../payloads.ts';

interface Document {
  readonly systemMessage?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly additionalContext?: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
  };
}

function documentIn(stdout: string): Document {
  return stdout === '' ? {} : (JSON.parse(stdout) as Document);
}

hostConformance({
  host: claudeCode,
  env: { CLAUDE_PROJECT_DIR: '/project', CLAUDE_CODE_SESSION_ID: 's1', CLAUDE_PID: '1', HOME: '/nowhere' },
  payloads: PAYLOADS,
  read: ({ stdout }) => {
    const { systemMessage = '', reason = '', hookSpecificOutput: more = {} } = documentIn(stdout);
    return {
      toAgent: more.additionalContext ?? more.permissionDecisionReason ?? '',
      toPerson: systemMessage || reason,
    };
  },
  letsThrough: ({ stdout }, { is }) => {
    const { decision, hookSpecificOutput: more = {} } = documentIn(stdout);
    if (decision === 'block' || more.permissionDecision === 'deny') return false;
    return is !== 'stop' || more.additionalContext === undefined;
  },
});

it('has no more time for a stop than the plugin asks for', () => {
  const file = resolve(import.meta.dirname, '../../../../plugin/hooks/hooks.json');
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: { Stop: { hooks: { timeout: number }[] }[] };
  };
  expect(hooks.Stop[0]?.hooks[0]?.timeout).toBe(claudeCode.limits.stopMs / 1000);
});

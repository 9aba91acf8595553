// Claude Code at the usage limit of a subscription, which a fallback host can bridge.
import type { Turn } from './script.ts';
import type { HostStage } from './stage.ts';

/** Only the account of a subscriber has such a limit. */
export function subscribe({ env }: Pick<HostStage, 'env'>): void {
  Object.assign(env, {
    ANTHROPIC_API_KEY: '',
    CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-nobody',
    CLAUDE_CODE_MAX_RETRIES: '0',
  });
}

/** The answer to a request then. */
export function limited(seconds: number): Turn {
  return {
    status: 429,
    headers: {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(Math.ceil(Date.now() / 1000) + seconds),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    },
  };
}

import { TIER } from '../scripts/test/tiers.mjs';

/**
 * Called where the tests start something that not every machine has. In the quick tier no tagged test runs,
 * so a call there comes from a test without its tag: it fails everywhere, not only where the thing is
 * missing.
 */
export function assertTagged(tag: 'tmux' | 'chromium' | 'postgres' | 'pgbouncer' | 'slurm' | 'agents'): void {
  if (process.env[TIER] === 'quick')
    throw new Error(`This test needs the tag ${tag}: see CONTRIBUTING.md, "Two tiers".`);
}

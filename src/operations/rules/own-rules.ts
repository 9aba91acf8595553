/** What the user's config lets validation rules use. A config that can't be used allows nothing, and says so. */
import type { Refusal } from '../../core/refusal.ts';
import { readUserConfig, sayMisfit, type OwnRules } from '../../flags/user-config.ts';
import type { Store } from '../../store/store.ts';

export function readOwnRules({
  config,
}: Pick<Store, 'config'>): ({ readonly ok: true } & OwnRules) | Refusal {
  const read = readUserConfig(config);
  if (read.ok) return { ok: true, ...read.value.rules };
  return { ...read, message: sayMisfit(read) };
}

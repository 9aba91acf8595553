/** Whether a hook that is data looks at the files that changed. Finding those out takes git a while, at every stop. */
import type { HookSpec } from './types.ts';

export function looksAtFiles(spec: HookSpec): boolean {
  switch (spec.type) {
    case 'real-work':
    case 'max-files':
      return true;
    case 'all-of':
    case 'any-of':
      return spec.hooks.some(looksAtFiles);
    case 'when':
      return (spec.condition.files ?? spec.condition.under) !== undefined || looksAtFiles(spec.hook);
    case 'default':
    case 'validation':
    case 'promise':
    case 'tdd':
    case 'security':
    case 'checkpoint-every':
    case 'checkpoint-at':
    case 'max-iterations':
      return false;
  }
}

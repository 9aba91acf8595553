/** Light, dark, or as the system says. */
import { computed, effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'dacapo-theme';

const systemDark = signal(matchMedia('(prefers-color-scheme: dark)').matches);
export const theme = signal<Theme>(readTheme());
export const isDark = computed(() => (theme.value === 'system' ? systemDark.value : theme.value === 'dark'));

export function followTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    systemDark.value = matches;
  });
  effect(() => {
    document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
  });
}

export function nextTheme(): void {
  theme.value = theme.value === 'system' ? (systemDark.value ? 'light' : 'dark') : 'system';
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // Storage may be turned off. Then the choice lasts until the page is reloaded.
  }
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

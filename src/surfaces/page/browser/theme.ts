/** Light, dark, or as the system says: the values of `color-scheme`, which all colours of the page follow. */
import { effect, signal } from '@preact/signals';

const KEY = 'dacapo-theme';
export const AS_SYSTEM = 'light dark';
const systemDark = matchMedia('(prefers-color-scheme: dark)');

export const theme = signal(readTheme());

effect(() => {
  document.documentElement.style.colorScheme = theme.value;
});

export function isDark(): boolean {
  return theme.value === 'dark' || (theme.value === AS_SYSTEM && systemDark.matches);
}

export function nextTheme(): void {
  theme.value = theme.value === AS_SYSTEM ? (systemDark.matches ? 'light' : 'dark') : AS_SYSTEM;
  localStorage.setItem(KEY, theme.value);
}

/** Where storage is turned off, the page has to say so. */
function readTheme(): string {
  try {
    return localStorage.getItem(KEY) ?? AS_SYSTEM;
  } catch {
    return AS_SYSTEM;
  }
}

export const WINE: string;

/** What a program needs to run there, or why it can't. */
export function windows():
  | { readonly node: string; readonly env: Readonly<Record<string, string>>; readonly missing?: undefined }
  | { readonly missing: string };

export function windowsPath(path: string): string;

export function endWindows(): void;

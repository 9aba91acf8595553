/** The first few of many, and how many more there are. */
export function few<T>(items: readonly T[], say: (item: T) => string, most: number): string[] {
  const more = items.length - most;
  return [...items.slice(0, most).map(say), ...(more > 0 ? [`and ${more} more`] : [])];
}

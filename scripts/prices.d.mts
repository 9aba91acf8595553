/** The text of `src/hosts/price-list.ts`. */
export function priceListText(): Promise<string>;

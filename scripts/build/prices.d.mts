/** The text of `src/hosts/prices/price-list.ts`. */
export function priceListText(): Promise<string>;

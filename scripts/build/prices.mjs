// Writes src/hosts/prices/price-list.ts from the price list of a development dependency. A test compares the
// two, so that a new version of the list is a change that somebody sees.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProvider } from '@pydantic/genai-prices';
import { build } from 'esbuild';
import { root } from '../root.mjs';

// Who makes the models. Clouds and resellers sell the same names at prices of their own.
const MAKERS = [
  'anthropic',
  'openai',
  'google',
  'x-ai',
  'deepseek',
  'mistral',
  'moonshotai',
  'minimax',
  'zai',
];
// Some prices hold from a day on.
const AS_OF = '2026-11-18';
const COLUMNS = 110;

/** The text of the file. */
export async function priceListText() {
  const modelKey = await load('src/hosts/prices/model-key.ts', 'modelKey');
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/@pydantic/genai-prices/package.json'), 'utf8'),
  );
  const prices = pricesByKey(modelKey);
  const dearest = [...prices.values()].reduce(dearer);
  return `// Written by scripts/build/prices.mjs from @pydantic/genai-prices ${version}, as of ${AS_OF}. Do not edit.

/**
 * US dollars per million tokens: input, output, input from the cache; then models of that price, as
 * \`modelKey\` spells them.
 */
export const PRICE_LIST = \`
${linesOf(prices).join('\n')}
\`;

/** The highest price of each kind in the list. */
export const DEAREST_LISTED = [${dearest.join(', ')}] as const;
`;
}

/** A release may have a price of its own. Then the name without a date has the one that is sold now. */
function pricesByKey(modelKey) {
  const [plain, dated] = [new Map(), new Map()];
  for (const maker of MAKERS)
    for (const model of findProvider({ providerId: maker }).models) {
      const price = priceOf(model);
      if (price === null) continue;
      for (const name of [model.id, ...namesIn(model.match)]) {
        if (/[^\w.@/-]/.test(name)) continue;
        const whole = name.toLowerCase().replace(/[-@]$/, '').replaceAll('.', '-');
        const key = modelKey(whole);
        const known = key === whole ? plain : dated;
        known.set(key, dearer(known.get(key) ?? price, price));
      }
    }
  return new Map([...dated, ...plain]);
}

function linesOf(prices) {
  const rows = new Map();
  for (const [key, price] of [...prices].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const row = price.join(' ');
    rows.set(row, [...(rows.get(row) ?? []), key]);
  }
  return [...rows].flatMap(([row, keys]) => {
    const lines = [row];
    for (const key of keys) {
      if (lines.at(-1).length + key.length >= COLUMNS) lines.push(row);
      lines.push(`${lines.pop()} ${key}`);
    }
    return lines;
  });
}

/** Null: it is not sold by tokens of text alone. */
function priceOf({ prices }) {
  const now = Array.isArray(prices) ? inForce(prices) : prices;
  if (Object.keys(now).some((key) => /^output_(?:audio|image|video)/.test(key))) return null;
  const [input, output] = [base(now.input_mtok), base(now.output_mtok)];
  if (!(input > 0) || !(output > 0)) return null;
  // Without a price of its own, input from the cache costs as much as any other.
  return [input, output, base(now.cache_read_mtok) ?? input];
}

/** The last one that has begun. Of prices by the hour of the day, the dearer one. */
function inForce(prices) {
  const begun = prices.filter(({ constraint }) => !(constraint?.start_date > AS_OF));
  const hourly = begun.filter(({ constraint }) => constraint?.start_time !== undefined);
  const [first = begun.at(-1), ...rest] = hourly;
  return rest.reduce((a, b) => (base(b.prices.output_mtok) > base(a.prices.output_mtok) ? b : a), first)
    .prices;
}

/** Without the extra charge for very long requests. */
function base(price) {
  return typeof price === 'object' ? price.base : price;
}

function namesIn(match) {
  if (typeof match !== 'object') return [];
  const { equals, starts_with: start, ends_with: end, contains, or = [], and = [] } = match;
  return [equals, start, end, contains].filter(Boolean).concat([...or, ...and].flatMap(namesIn));
}

function dearer(a, b) {
  return a.map((price, n) => Math.max(price, b[n]));
}

async function load(source, name) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const text = Buffer.from(outputFiles[0].contents).toString('base64');
  return (await import(`data:text/javascript;base64,${text}`))[name];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(root, 'src/hosts/prices/price-list.ts'), await priceListText());

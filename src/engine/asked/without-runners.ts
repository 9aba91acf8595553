/** The command that a runner of commands runs, such as `npx`. */

/** Programs that run the command behind them, and the word that says so. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  npx: /^/,
  bunx: /^/,
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
  bundle: /^exec$/,
  poetry: /^run$/,
  uv: /^run$/,
  pipenv: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  pdm: /^run$/,
  c8: /^/,
  nyc: /^/,
  'cross-env': /^/,
  'xvfb-run': /^/,
  coverage: /^run$/,
};
const MAX_RUNNERS = 4;

/** `npx c8 mocha` runs `mocha`. */
export function withoutRunners(words: readonly string[]): readonly string[] {
  let rest = words;
  for (let left = MAX_RUNNERS; left > 0; left--) rest = withoutRunner(rest);
  return rest;
}

/** `npx tsx check.ts` runs `tsx check.ts`. */
function withoutRunner(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  const says = RUNNERS[first];
  if (says === undefined || !says.test(second)) return words;
  // `coverage run` starts Python itself.
  if (first === 'coverage') return ['python', ...words.slice(2)];
  const at = words.findIndex((word, k) => k > (says.source === '^' ? 0 : 1) && !/^-|^\w+=/.test(word));
  return at === -1 ? words : words.slice(at);
}

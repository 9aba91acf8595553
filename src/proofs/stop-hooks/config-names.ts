/** The possible names of a project's config, in this order. */
export const CONFIG_NAMES: readonly string[] = ['js', 'mjs', 'ts', 'json'].map(
  (end) => `dacapo.config.${end}`,
);

/** What the config of a project may be called, in this order. */
export const CONFIG_NAMES: readonly string[] = ['js', 'mjs', 'ts', 'json'].map(
  (end) => `dacapo.config.${end}`,
);

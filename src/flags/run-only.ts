/**
 * The flags that `dacapo run` alone has. Other commands name it when they refuse one. The tables of these flags are not
 * imported for that: one of them belongs to the command line.
 */
export const RUN_ONLY: readonly string[] = [
  '--fresh',
  '--fresh-every',
  '--continue',
  '--compact-every',
  '--pause',
  '--iteration-timeout',
  '--silence-timeout',
  '--max-calls-per-hour',
  '--model',
  '--fallback-model',
  '--permission-mode',
  '--allowed-tools',
  '--commit',
  '--commit-all',
  '--branch',
  '--no-notes',
  '--worktree',
  '--worktree-setup',
  '--quiet',
  '--loop',
];

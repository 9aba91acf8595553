/** The heading under which the help shows a flag. Flags in no group are shown last. */
export interface FlagGroup {
  readonly heading: string;
  readonly flags: readonly string[];
}

export const FLAG_GROUPS: readonly FlagGroup[] = [
  { heading: 'The task:', flags: ['--prompt-file', '--loop', '--name'] },
  {
    heading: 'When it is done:',
    flags: [
      '--check',
      '--completion-promise',
      '--features',
      '--watch-file',
      '--done-folder',
      '--require',
      '--min-iterations',
      '--protect',
      '--config',
    ],
  },
  {
    heading: 'Asking you:',
    flags: ['--approve', '--approve-done', '--approval-timeout', '--approval-policy', '--approvals'],
  },
  { heading: 'How checks run:', flags: ['--check-timeout', '--checks-timeout', '--parallel'] },
  {
    heading: 'Limits:',
    flags: [
      '--max-iterations',
      '--timeout',
      '--max-cost',
      '--max-tokens',
      '--max-stalls',
      '--stale-after',
      '--iteration-timeout',
      '--silence-timeout',
      '--max-calls-per-hour',
    ],
  },
  {
    heading: 'Lists and nesting:',
    flags: ['--items', '--items-from', '--max-items', '--as', '--nest'],
  },
  {
    heading: 'Sessions:',
    flags: ['--mode', '--fresh', '--fresh-every', '--continue', '--compact-every', '--pause', '--no-notes'],
  },
  {
    heading: 'The agent:',
    flags: ['--model', '--fallback-model', '--permission-mode', '--allowed-tools'],
  },
  { heading: 'Git:', flags: ['--commit', '--commit-all', '--branch', '--worktree', '--worktree-setup'] },
  { heading: 'What is shown:', flags: ['--notify', '--view', '--vault', '--dry-run', '--quiet', '--json'] },
];

/** The given flags under their headings; a heading without a flag is left out. */
export function inGroups<T extends { readonly flag: string }>(
  flags: readonly T[],
): { readonly heading: string; readonly flags: readonly T[] }[] {
  const known = FLAG_GROUPS.flatMap((group) => group.flags);
  const groups = FLAG_GROUPS.map(({ heading, flags: names }) => ({
    heading,
    flags: names.flatMap((name) => flags.find(({ flag }) => flag === name) ?? []),
  }));
  const others = { heading: 'Other:', flags: flags.filter(({ flag }) => !known.includes(flag)) };
  return [...groups, others].filter((group) => group.flags.length > 0);
}

/**
 * For whom each command of `dacapo` is. The command line refuses an agent's shell what is for people, the
 * guard also what would take the judge away from a loop. Every command is in it: `test/input/classified`
 * walks over all of them.
 */

export type CommandAudience =
  | 'anyone'
  /** It answers for a person, changes what was agreed, or spends on other machines. */
  | 'people'
  /** It ends or pauses a loop. An agent may do that, unless it would get rid of approvals. */
  | 'ends'
  /** It takes the judge away. Beside a loop it is for people; elsewhere an agent may set Da Capo up. */
  | 'judge'
  /** For people if one of its words is of this kind. */
  | { readonly peopleWith: RegExp };

const NEW_LIMITS = /^--(?:max-|timeout)/;

const AUDIENCES = {
  start: 'anyone',
  ready: 'anyone',
  run: 'anyone',
  adopt: 'people',
  approvals: 'anyone',
  approve: 'people',
  reject: 'people',
  answer: 'people',
  worker: 'judge',
  fleet: 'anyone',
  'fleet init': 'people',
  'fleet submit': 'people',
  'fleet list': 'anyone',
  'fleet status': 'anyone',
  'fleet watch': 'anyone',
  'fleet attach': 'anyone',
  'fleet logs': 'anyone',
  'fleet pull': 'anyone',
  'fleet cancel': 'people',
  'fleet pause': 'people',
  'fleet resume': { peopleWith: NEW_LIMITS },
  'fleet trust': 'people',
  'fleet answer': 'people',
  'fleet steer': 'people',
  'fleet amend': 'people',
  'fleet limits': { peopleWith: NEW_LIMITS },
  'fleet wait': 'anyone',
  'fleet ready': 'anyone',
  'fleet prune': 'people',
  'fleet drain': 'people',
  'fleet doctor': 'anyone',
  status: 'anyone',
  list: 'anyone',
  watch: 'anyone',
  ui: 'judge',
  stats: 'anyone',
  report: 'anyone',
  logs: 'anyone',
  explain: 'anyone',
  features: 'anyone',
  hooks: { peopleWith: /^(?:add|enable|disable|remove)$/ },
  checkpoints: 'anyone',
  init: 'judge',
  uninstall: 'judge',
  trust: 'people',
  notify: 'anyone',
  doctor: 'anyone',
  demo: 'anyone',
  prune: 'anyone',
  hook: 'judge',
  mcp: 'anyone',
  statusline: 'anyone',
  completion: 'anyone',
  cancel: 'ends',
  pause: 'ends',
  steer: 'people',
  amend: 'people',
  resume: { peopleWith: /^--(?:accept-changes|max-|timeout)/ },
  rollback: 'anyone',
} as const satisfies Readonly<Record<string, CommandAudience>>;

/** A command that says for nobody that it is for them does not compile. */
export type CommandName = keyof typeof AUDIENCES;

/** Undefined: there is no such command. */
export function audienceOf(command: string): CommandAudience | undefined {
  return isCommandName(command) ? AUDIENCES[command] : undefined;
}

function isCommandName(command: string): command is CommandName {
  return Object.hasOwn(AUDIENCES, command);
}

/** In any shell of an agent. `words`: those after the command. */
export function isForPeople(command: string, words: readonly string[]): boolean {
  const audience = audienceOf(command);
  if (typeof audience === 'object') return words.some((word) => audience.peopleWith.test(word));
  return audience === 'people';
}

/** Beside a loop, where the guard looks. */
export function isForPeopleBesideLoop(command: string, words: readonly string[]): boolean {
  const audience = audienceOf(command);
  return audience === 'judge' || audience === 'ends' || isForPeople(command, words);
}

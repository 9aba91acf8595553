/** Advice about a loop of a fleet: the commands of one machine are named as those of the fleet. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/dacapo (approve|reject) ([\w-]+)/g, 'dacapo fleet answer $2 --$1'],
  [/dacapo run --loop\b/g, 'dacapo fleet resume'],
  [/dacapo logs -f\b/g, 'dacapo fleet attach'],
  [/dacapo explain\b/g, 'dacapo fleet logs'],
  [/dacapo approvals( --all)?/g, 'dacapo fleet list'],
  [/dacapo (answer|cancel|pause|resume|amend|steer|list|status|logs)\b/g, 'dacapo fleet $1'],
];

export function fleetWords(text: string): string {
  return WORDS.reduce((said, [command, instead]) => said.replaceAll(command, instead), text);
}

// What differs from run to run, by a name that does not.
import { PACKAGE, type Shell } from '../surfaces/cli/shell.ts';

const NAMED = [
  { name: 'loop', pattern: /RALPH_\d{8}_[a-z0-9]{6}/g },
  { name: 'request', pattern: /ask-[a-z0-9]{6}-\d+/g },
  { name: 'tree', pattern: /run_[0-9a-f]{8}/g },
  { name: 'session', pattern: /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g },
];

const VAGUE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>'],
  [/\bjust now\b|\b\d+ (?:s|min|h) ago\b/g, '<ago>'],
  [/, \d+ (?:s|min) of work/g, ''],
  [/(fails now: [^\n]*?), \d+\.\d s/g, '$1, <duration>'],
  [/"worked_seconds": \d+/g, '"worked_seconds": <n>'],
  [/(\bprocess |"process":\s?)\d+/g, '$1<pid>'],
  [/\(\d+(?:\.\d)? (?:s|min)\)/g, '(<duration>)'],
  [/"(ms|totalMs|longestMs)": \d+/g, '"$1": <n>'],
  [/\(\d+ ms\)/g, '(<n> ms)'],
  [/\b\d+ ms +/g, '<n> ms  '],
  [/\b[a-z0-9]{22}\.md/g, '<hash>.md'],
  [/("tree":\s?)"[0-9a-f]+"/g, '$1"<mark>"'],
  // What could be read of the packages in time is part of it.
  [/("digest":\s?)"[0-9a-f]{64}"/g, '$1"<digest>"'],
  [/\b(?:24 h|23 h 59 min) more of work/g, '<time> more of work'],
  // Columns are as wide as what was in them.
  [/(UPDATED|WHEN|ASKED|<ago>|PROJECT|<(?:project|root)>\S*) {2,}/g, '$1  '],
];

export function makePlaceholders(shell: Shell) {
  const seen = new Map<string, string>();
  const places: readonly (readonly [string, string])[] = [
    [shell.home, '<home>'],
    [shell.project, '<project>'],
    [shell.root, '<root>'],
    [PACKAGE, '<package>'],
  ];
  const nameOf = (kind: string, value: string): string => {
    const known = seen.get(value);
    if (known !== undefined) return known;
    const count = [...seen.values()].filter((name) => name.startsWith(`<${kind}-`)).length;
    const name = `<${kind}-${count + 1}>`;
    seen.set(value, name);
    return name;
  };
  return {
    hide: (output: string): string => {
      let shown = output;
      for (const [place, name] of places) shown = shown.replaceAll(place, name);
      for (const { name, pattern } of NAMED) shown = shown.replace(pattern, (value) => nameOf(name, value));
      for (const [pattern, name] of VAGUE) shown = shown.replace(pattern, name);
      return shown;
    },
    fill: (text: string): string => {
      let filled = text;
      for (const [value, name] of [...places, ...seen]) filled = filled.replaceAll(name, value);
      return filled;
    },
  };
}

/**
 * Output of programs with the paths below one folder as a person in that folder would write them: a work tree
 * has a long path, and it stands on every line of a stack.
 */
const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

/** Only for a screen: a command that a person agrees to, and what is kept as evidence, stay as they are. */
export function nearPaths(text: string, folder: string): string {
  if (!text.includes(folder)) return text;
  const escaped = folder.replace(SPECIAL, '\\$&');
  // Not in the middle of a longer path, and only where a name follows.
  return text.replace(new RegExp(`(?<![\\w./~-])(?:file://)?${escaped}/(?=[\\w.@-])`, 'g'), '');
}

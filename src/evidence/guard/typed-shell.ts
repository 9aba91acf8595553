/**
 * Whether a line starts a shell, or another interpreter, that waits for what somebody types. In a host whose
 * agent can type into a running command without a hook being asked, nobody would see what such a shell runs.
 */
import { baseName } from './plain.ts';
import { LANGUAGE } from './raw-text.ts';

const SHELL = /^(?:ba|z|da|k|fi|c|tc)?sh$/;
/** They run, or write, what is typed. */
const TERMINAL = /^(?:su|tmux|screen|ed|ex|vi|vim|nvim|nano)$/;
/** What may stand before it. */
const BEFORE = /^(?:exec|env|command|sudo|doas|nohup|nice|setsid|stdbuf|unbuffer|npx|-.*|\w+=.*)$/;
/** Options without which a shell, or with which another interpreter, waits for typing. */
const HAS_CODE = /^-\w*c|^--(?:version|help)$/;
const ASKS = /^(?:-[iuqB]+|--interactive|-)$/;

export function awaitsTyping(line: string): boolean {
  return line.split(/&&|\|\||[;&\n()]/).some((part) => {
    // Its input is a pipe, a file or a text.
    if (/[|<]/.test(part)) return false;
    const words = part
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll(/["'\\]/g, ''));
    const at = words.findIndex((word) => !BEFORE.test(word));
    return at !== -1 && isTyped(baseName(words[at] ?? ''), words.slice(at + 1));
  });
}

function isTyped(name: string, args: readonly string[]): boolean {
  if (TERMINAL.test(name)) return true;
  if (LANGUAGE.test(name)) return args.every((word) => ASKS.test(word)) || args[0] === '-i';
  if (!SHELL.test(name)) return false;
  const script = args.findIndex((word) => !word.startsWith('-'));
  const options = script === -1 ? args : args.slice(0, script);
  if (options.some((word) => HAS_CODE.test(word))) return false;
  return script === -1 || options.some((word) => /^-\w*[is]/.test(word));
}

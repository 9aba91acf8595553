/** Rules that only look: at a file of the project, or at the agent's output. */
import { isAbsolute, resolve } from 'node:path';
import { oneLine } from '../../core/words/sanitize.ts';
import { isIn, leadsOut } from '../../files/paths.ts';
import { readRegular } from '../../files/read.ts';
import { match } from './match.ts';
import { notRun, seen, type Seen } from './result.ts';
import type { PatternRule } from '../../flags/validation-rules.ts';

const SHOWN = 500;

export interface RuleGround {
  readonly project: string;
  /** What the agent said; null: no output is known. */
  readonly output: string | null;
}

export async function testPattern(rule: PatternRule, ground: RuleGround, signal: AbortSignal): Promise<Seen> {
  const { pattern, flags = '', file, expect = 'present' } = rule;
  const text = file === undefined ? ground.output : readIn(ground.project, file);
  const place = file === undefined ? 'the output' : oneLine(file, 120);
  if (text === null) return notRun('the output of the agent was not given');
  if (typeof text !== 'string') return text.is === 'gone' ? seen(false, text.why) : notRun(text.why);
  const found = await match(pattern, flags, text, signal);
  switch (found.is) {
    case 'failed':
      return notRun(`the pattern can't be used: ${oneLine(found.why, SHOWN)}`);
    case 'absent':
      return seen(expect === 'absent', `the pattern does not occur in ${place}`);
    case 'found':
      return seen(expect === 'present', `the pattern occurs in ${place}: ${oneLine(found.text, 120)}`);
  }
}

export function testFile(file: string, project: string): Seen {
  const content = readIn(project, file);
  if (typeof content === 'string') return seen(true, `${oneLine(file, 120)} is there`);
  return content.is === 'gone' ? seen(false, content.why) : notRun(content.why);
}

interface UnreadFile {
  readonly is: 'gone' | 'unreadable';
  readonly why: string;
}

/** A regular file of the project. Nothing outside is read, not even through a link. */
function readIn(project: string, file: string): string | UnreadFile {
  const name = oneLine(file, 120);
  const [path, folder] = [resolve(project, file), resolve(project)];
  const isNamed = !isAbsolute(file) && !file.includes('\0') && path !== folder && isIn(path, folder);
  if (!isNamed || leadsOut(path, folder)) return { is: 'unreadable', why: `${name} is not in the project` };
  const read = readRegular(path);
  if (read.is === 'content') return read.content;
  return read.is === 'gone'
    ? { is: 'gone', why: `${name} is not there` }
    : { is: 'unreadable', why: `${name} can't be read (${read.why})` };
}

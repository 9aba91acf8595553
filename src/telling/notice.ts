/** A notice in words, for a screen of any size: a headline and one short paragraph. */
import type { Request } from '#law/loop.ts';
import type { Notice, NoticeKind } from '#law/notices.ts';
import { asksIfDone } from '#law/waiting/requests.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { sayAdvice, type Audience } from './advice.ts';
import { inFleet, inQuotes, inTerminal } from './audience.ts';
import { adviseAgain } from './next-step.ts';
import { answersTo } from './person/requests.ts';
import { sayStatus, title } from './person/status.ts';

const MAX_HEADLINE_CHARS = 100;
const MAX_TEXT_CHARS = 900;
const MAX_REQUEST_CHARS = 400;

const SAYS: Readonly<Record<NoticeKind, string>> = {
  started: 'a loop starts',
  running: 'at work',
  waiting: 'waiting',
  limit: 'usage limit reached',
  approval: 'your approval is needed',
  question: 'a question for you',
  paused: 'paused',
  interrupted: 'interrupted',
  item: 'an item is done',
  completed: 'done',
  escalated: 'needs you',
  stuck: 'stuck',
  ended: 'ended undone',
};

export function sayHeadline({ is, loop, request }: Notice): string {
  const what = request !== undefined && asksIfDone(request) ? 'is it done?' : SAYS[is];
  return oneLine(`${folderName(loop.project)}: ${what}`, MAX_HEADLINE_CHARS);
}

export function sayNotice({ loop, request, item, ofFleet }: Notice): string {
  const audience = ofFleet === true ? inFleet : inTerminal;
  if (request !== undefined) return oneLine(sayAsked(title(loop), request, audience), MAX_TEXT_CHARS);
  if (item !== undefined)
    return oneLine(`Loop ${title(loop)} has proven this item: ${item.title}.`, MAX_TEXT_CHARS);
  const next = sayAdvice(adviseAgain(loop), inQuotes(audience));
  return oneLine(`Loop ${title(loop)} ${sayStatus(loop)}.${next && ` ${next}`}`, MAX_TEXT_CHARS);
}

function sayAsked(loop: string, request: Request, audience: Audience): string {
  const { kind, what, why } = request;
  const reason = why === '' ? '' : ` (${oneLine(why, MAX_REQUEST_CHARS)})`;
  const asked = `${oneLine(what.text, MAX_REQUEST_CHARS)}${reason}`;
  const answers = answersTo(request).map(audience).join(', or ');
  if (kind === 'question') return `Loop ${loop} asks: ${asked} ${answers}.`;
  const claims = kind === 'completion' ? 'says that it is done' : 'needs your word';
  const says = kind === 'approval' ? 'wants to run' : claims;
  return `Loop ${loop} ${says}: ${asked}. ${answers}.`;
}

/** People know a project by its folder. The whole path is nobody else's business. */
function folderName(project: string): string {
  return project.split(/[/\\]/).findLast((part) => part !== '') ?? project;
}

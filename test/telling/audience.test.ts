/** One command, as each audience types it. No command of a single machine is told to people of a fleet. */
import { expect, it } from 'vitest';
import { advise, sayAdvice, type AdvisedCommand } from '#telling/advice.ts';
import { inFleet, inQuotes, inSession, inTerminal } from '#telling/audience.ts';

const NAMES = {
  resume: '/resume-ralph',
  cancel: '/cancel-ralph',
  approve: '/approve-ralph',
  reject: '/reject-ralph',
  answer: '/answer-ralph',
};

const TYPED: readonly [AdvisedCommand, terminal: string, fleet: string, session: string][] = [
  [
    { verb: 'approve', request: 'ask-1' },
    'dacapo approve ask-1',
    'dacapo fleet answer ask-1 --approve',
    '/approve-ralph',
  ],
  [
    { verb: 'answer', request: 'ask-1' },
    'dacapo answer ask-1 "…"',
    'dacapo fleet answer ask-1 "…"',
    '/answer-ralph …',
  ],
  [{ verb: 'resume', loop: 'L' }, 'dacapo resume L', 'dacapo fleet resume L', '/resume-ralph'],
  [
    { verb: 'resume', loop: 'L', flags: ['--max-cost 5'] },
    'dacapo resume L --max-cost 5',
    'dacapo fleet resume L --max-cost 5',
    '`dacapo resume L --max-cost 5`',
  ],
  [{ verb: 'reopen', loop: 'L' }, 'dacapo resume L', 'dacapo fleet resume L', '`dacapo resume L`'],
  [{ verb: 'run-loop', loop: 'L' }, 'dacapo run --loop L', 'dacapo fleet resume L', '`dacapo run --loop L`'],
  [
    { verb: 'begin' },
    'dacapo run "PROMPT"',
    'dacapo fleet submit "PROMPT" --repo URL --ref REF',
    '`dacapo run "PROMPT"`',
  ],
  [{ verb: 'follow', loop: 'L' }, 'dacapo logs -f L', 'dacapo fleet attach L', '`dacapo logs -f L`'],
  [{ verb: 'explain', loop: 'L' }, 'dacapo explain L', 'dacapo fleet logs L', '`dacapo explain L`'],
  [{ verb: 'approvals-all' }, 'dacapo approvals --all', 'dacapo fleet list', '`dacapo approvals --all`'],
  [{ verb: 'steer', loop: 'L' }, 'dacapo steer L "…"', 'dacapo fleet steer L "…"', '`dacapo steer L "…"`'],
  [
    { verb: 'cancel', loop: 'L', of: 'fleet' },
    'dacapo fleet cancel L',
    'dacapo fleet cancel L',
    '`dacapo fleet cancel L`',
  ],
];

it.each(TYPED)('%j', (command, terminal, fleet, session) => {
  expect(inTerminal(command)).toBe(terminal);
  expect(inFleet(command)).toBe(fleet);
  expect(inSession(NAMES, false)(command)).toBe(session);
});

it('where several requests are open, a session names the one', () => {
  expect(inSession(NAMES, true)({ verb: 'reject', request: 'ask-2' })).toBe('/reject-ralph ask-2');
});

it('advice keeps its commands as values until it is told', () => {
  const advice = advise`name another model: ${{ verb: 'switch-model', loop: 'L' }}.`;
  expect(sayAdvice(advice, inTerminal)).toBe(
    'name another model: dacapo run --loop L --model MODEL, or /model in the session.',
  );
  expect(sayAdvice(advice, inFleet)).toBe('name another model: a new dacapo fleet submit takes --model.');
  expect(sayAdvice(advise`${{ verb: 'list' }} shows ${advice}`, inQuotes(inTerminal))).toContain(
    '`dacapo list` shows name another',
  );
});

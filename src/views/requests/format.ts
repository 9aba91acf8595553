/** A request to a person as a file: front matter for programs, text for people, and room for their words. */
import { topFrame, type Loop, type Request } from '../../core/loop.ts';
import { ofIterations } from '../../core/words/phrases.ts';
import { fenced, harmless, oneLine } from '../../core/words/sanitize.ts';
import { APPROVED, REJECTED } from '../places.ts';

const SHOWN = 300;

/** What the person writes below this line goes to the agent. */
const NOTE = '## Your words for the agent (optional)';
const ANSWER = '## Your answer';

const TITLES: Readonly<Record<Request['kind'], string>> = {
  approval: 'May the agent do this?',
  question: 'The agent asks',
  completion: 'Is the task done?',
};

export function renderRequest(loop: Loop, request: Request): string {
  const { id, kind, what, why, at, expires } = request;
  const head = [
    ['id', id],
    ['loop', loop.id],
    ['kind', kind],
    ['status', 'pending'],
    ['what', JSON.stringify(oneLine(what.text, SHOWN))],
    ...(what.tool === null ? [] : [['tool', what.tool]]),
    ['asked_at', at],
    ['expires_at', expires],
  ];
  const name = loop.name === null ? '' : ` (${oneLine(loop.name, SHOWN)})`;
  return [
    `---\n${head.map(([key = '', value = '']) => `${key}: ${value}`).join('\n')}\n---`,
    `# ${TITLES[kind]}`,
    fenced(harmless(what.text)),
    ...(why === '' ? [] : [`Why:\n\n${fenced(harmless(why))}`]),
    `Loop ${loop.id}${name} in ${loop.project}, iteration ${ofIterations(loop, topFrame(loop).passes + 1)}. It waits for the answer until ${expires}.`,
    `## How to answer\n\n${howTo(id, kind).join('\n')}`,
    `${kind === 'question' ? ANSWER : NOTE}\n`,
  ].join('\n\n');
}

function howTo(id: string, kind: Request['kind']): string[] {
  const byFile = `- Or move this file to \`${APPROVED}/\` (yes) or \`${REJECTED}/\` (no), beside this folder. The host's own permissions then still apply.`;
  return kind === 'question'
    ? [
        `- \`dacapo answer ${id} "…"\``,
        `- Or write the answer at the end of this file, and move it to \`${APPROVED}/\`, beside this folder.`,
      ]
    : [`- \`dacapo approve ${id}\` or \`dacapo reject ${id} --note "…"\``, byFile];
}

/** The words that a person wrote at the end of the file. */
export function noteIn(content: string): string {
  const lines = content.split(/\r?\n/);
  const at = lines.findLastIndex((line) => line.trim() === NOTE || line.trim() === ANSWER);
  return at === -1
    ? ''
    : lines
        .slice(at + 1)
        .join('\n')
        .trim();
}

export function renderAnswered(content: string, { answer }: Request): string {
  if (answer === null) return content;
  const how = answer.is === 'text' ? 'answered' : answer.is;
  const more = answer.is === 'expired' ? [] : [`answered_by: ${answer.by}`];
  const head = [`status: ${how}`, `answered_at: ${answer.at}`, ...more].join('\n');
  const note =
    answer.is === 'expired' || answer.note === '' || noteIn(content) !== ''
      ? ''
      : `\n${harmless(answer.note)}\n`;
  return content.replace(/^status: pending$/m, () => head) + note;
}

/**
 * The story of the demo, in three iterations: a claim that does not count, a claim that a check refutes, and the work.
 * It has the project, the person's input and the model's replies, and works with either agent.
 */
import { join } from 'node:path';
import { replies, type Block, type Reply, type Script } from './model.ts';

const CHECK = 'node greet.test.mjs';
/** What the person types after the name of the command. */
export const REQUEST = `Make greet.mjs pass its test --check "${CHECK}" --completion-promise GREETED`;

const WRONG = "  return 'Hello, name!';";
const RIGHT = '  return `Hello, ${name}!`;';

export const FILES: Readonly<Record<string, string>> = {
  'greet.mjs': `export function greet(name) {\n${WRONG}\n}\n`,
  'greet.test.mjs': `import { greet } from './greet.mjs';

const said = greet('Ada');
if (said !== 'Hello, Ada!') {
  console.error(\`greet('Ada') says "\${said}", not "Hello, Ada!"\`);
  process.exit(1);
}
console.log('ok');
`,
};

const PROMISE = '<promise>GREETED</promise>';

/** `paceMs`: how long the model seems to think, so that a person can follow. */
export function scriptFor(project: string, paceMs: number): Script {
  const file = join(project, 'greet.mjs');
  const paced = (...blocks: Block[]): Reply => ({ blocks, delay: paceMs });
  return replies([
    paced({ text: `greet.mjs looks fine to me, so the task is finished:\n\n\`\`\`\n${PROMISE}\n\`\`\`` }),
    paced({ text: `Sorry, here it is as plain text. The task is finished.\n\n${PROMISE}` }),
    paced(
      { text: 'The test is right and I was wrong. Let me look.' },
      { tool: 'Read', input: { file_path: file } },
    ),
    paced({ tool: 'Edit', input: { file_path: file, old_string: WRONG, new_string: RIGHT } }),
    paced({ text: `The name was inside the quotes. Now greet.mjs puts it into the greeting.\n\n${PROMISE}` }),
  ]);
}

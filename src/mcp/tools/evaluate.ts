/** Asks the stop hooks of a task without ending an iteration. */
import { flag, list, word } from '../../stop-hooks/config/schema.ts';
import { evaluateHooks } from '../../tasks/evaluate-hooks.ts';
import {
  agentOutput,
  ANSWER,
  iterationId,
  LONGEST_OUTPUT,
  taskId,
  action,
  iteration,
  nextPrompt,
  reason,
} from '../fields.ts';
import { asCall } from '../desk.ts';
import { anything, described, fields, optional, words } from '../schema.ts';
import { tool, type AnyTool } from '../tool.ts';

export const evaluateTools: readonly AnyTool[] = [
  tool({
    name: 'hook_evaluate',
    title: 'Ask the stop hooks',
    description:
      'Asks the stop hooks of a run about an output, with the results of the last validation, and answers with what they say: the same hooks that iteration_validate asks. It ends no iteration and runs no check; iteration_validate does both.',
    input: fields('hook_evaluate', {
      iterationId,
      agentOutput: optional(agentOutput),
      filesModified: optional(
        described(
          'The files that you changed in this iteration.',
          list(words('A path.', 4_096), 'a list of paths'),
        ),
      ),
      draftContent: optional(words('A draft of the work.', LONGEST_OUTPUT)),
      draftType: optional(
        word(
          'technical_design',
          'implementation',
          'test_plan',
          'security_review',
          'documentation',
          'architecture',
          'other',
        ),
      ),
    }),
    output: fields('an evaluation', {
      hookId: words('The hook whose answer it is; "default" if none is registered.', ANSWER),
      taskId,
      iteration,
      action,
      reason,
      nextPrompt,
      checkpointCreated: flag,
      metadata: anything('What the hook added.', Number.MAX_SAFE_INTEGER),
    }),
    hints: 'adds',
    run: async (asked, call, desk) => {
      const {
        iterationId: run,
        agentOutput: output = '',
        filesModified = [],
        draftContent,
        draftType,
      } = asked;
      const question = { ...asCall(run, call, desk), output, filesModified, draftContent, draftType };
      return evaluateHooks(question, desk.world);
    },
  }),
];

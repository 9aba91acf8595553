/** The validation rules of a run, for the model. `operations/rules` reads them strictly. */
import { isRecord } from '../core/shape.ts';
import { list, value } from '../stop-hooks/config/schema.ts';
import { described } from './schema.ts';

const short = { type: 'string', maxLength: 2_000 };
export const validationRules = described(
  'What has to hold besides the promise, tested by Da Capo. command: one that the user allows, exactly as it is in rules.commands of their config or in a check of the trusted config. pattern: a regular expression in a file, or in your output if no file is given. file-exists. coverage: at least threshold percent. custom: a rule of the user, by its name.',
  list(
    value(
      'a rule',
      {
        type: 'object',
        required: ['name', 'type'],
        properties: {
          name: short,
          type: { enum: ['command', 'pattern', 'file-exists', 'coverage', 'custom'] },
          command: short,
          pattern: short,
          flags: { type: 'string', pattern: '^[imsu]*$' },
          file: short,
          expect: { enum: ['present', 'absent'] },
          threshold: { type: 'number', minimum: 0, maximum: 100 },
          metric: { enum: ['lines', 'statements', 'branches', 'functions'] },
          rule: short,
        },
      },
      isRecord,
    ),
    'a list of rules',
  ),
);

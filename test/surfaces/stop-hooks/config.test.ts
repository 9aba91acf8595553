/** What a config may hold: the strict reader and the published schema are of one mind. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineConfig, maxFiles, type DacapoConfig } from '#surfaces/library/index.ts';
import { publishedSchema } from '#surfaces/stop-hooks/config/config-schema.ts';
import { readConfig } from '#surfaces/stop-hooks/config/read-config.ts';
import { specs } from './specs.ts';

const schema: object = JSON.parse(
  readFileSync(new URL('../../../schema/dacapo.config.schema.json', import.meta.url), 'utf8'),
);
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

const duration = fc.constantFrom(90, '90', '90s', '15m', '1h30m');
const command = fc.constantFrom('npm test', 'npm run lint', 'make');
const check = fc.oneof(command, fc.record({ command, timeout: duration }, { requiredKeys: ['command'] }));
const bare = fc.oneof(specs, fc.constant('./hook.mjs'), fc.constant({ stopJs: '.claude/hooks/stop.js' }));
const hook = fc.oneof(
  bare,
  fc.record({ name: fc.constant('mine'), enabled: fc.boolean(), hook: bare }, { requiredKeys: ['hook'] }),
);
const configs = fc.record(
  {
    $schema: fc.constant('./node_modules/dacapo/schema/dacapo.config.schema.json'),
    checks: fc.record({ tests: check }),
    measures: fc.record({
      tests: fc.oneof(
        command,
        fc.record(
          { command, keep: fc.boolean(), target: fc.constantFrom('<=0', '>= -1.5'), timeout: duration },
          { requiredKeys: ['command'] },
        ),
      ),
    }),
    parallel: fc.oneof(fc.boolean(), fc.integer({ min: 1, max: 9 })),
    checkTimeout: duration,
    checksTimeout: duration,
    recheck: duration,
    hooks: fc.array(hook, { minLength: 1, maxLength: 3 }),
    hookTimeout: duration,
    hooksTimeout: duration,
  },
  { requiredKeys: ['checks'] },
);

const WRONG: [string, unknown][] = [
  ['no object', []],
  ['nothing in it', {}],
  ['no check and no hook', { checks: {}, hooks: [] }],
  ['a mistyped key', { check: { tests: 'npm test' } }],
  ['a check that is a number', { checks: { tests: 3 } }],
  ['an empty command', { checks: { tests: ' ' } }],
  ['a check with a mistyped key', { checks: { tests: { command: 'x', timeOut: 3 } } }],
  ['a name with a tag in it', { checks: { '<promise>': 'x' } }],
  ['no time', { checks: { tests: 'x' }, checksTimeout: 0 }],
  ['a time in words', { checks: { tests: 'x' }, checksTimeout: 'soon' }],
  ['a measure with a name that no goal can have', { measures: { 'my tests': 'x' } }],
  ['a target without a number', { measures: { tests: { command: 'x', target: '>=' } } }],
  ['a target with its name', { measures: { tests: { command: 'x', target: 'tests>=3' } } }],
  ['a wait in words', { checks: { ci: 'x' }, recheck: 'often' }],
  ['none at once', { checks: { tests: 'x' }, parallel: 0 }],
  ['a hook that is a number', { hooks: [3] }],
  ['an unknown type of hook', { hooks: [{ type: 'maxfiles' }] }],
  ['a hook with a mistyped field', { hooks: [{ type: 'max-files', file: 3 }] }],
  ['a named hook without a hook', { hooks: [{ name: 'x', enabled: true }] }],
  ['a named hook that may be on', { hooks: [{ enabled: 'yes', hook: './x.mjs' }] }],
  ['a stop.js that is not a path', { hooks: [{ stopJs: 3 }] }],
];

test('the published schema is the generated one (else: npm run schema)', () => {
  expect(schema).toEqual(publishedSchema());
});

describe('a config', () => {
  test('that the reader takes is right by the schema, and the other way round', () => {
    fc.assert(
      fc.property(configs, (config) => {
        expect(validate(config) ? [] : validate.errors).toEqual([]);
        expect(() => readConfig(config)).not.toThrow();
      }),
    );
  });

  test.each(WRONG)('with %s is refused by both', (_what, config) => {
    expect(validate(config)).toBe(false);
    expect(() => readConfig(config)).toThrow(/config/);
  });

  test('a project names nobody who is told of loops', () => {
    expect(() => readConfig({ checks: { a: 'b' }, notify: ['https://example.com'] })).toThrow(
      'config.notify is for the config of a person, not of a project',
    );
  });

  test('an unknown key is named, with the nearest known one', () => {
    expect(() => readConfig({ checks: { a: 'b' }, paralel: 2 })).toThrow(
      'config.paralel is not a field of the config. Did you mean parallel?',
    );
  });

  test('its hooks have names that tell them apart', () => {
    const { hooks } = readConfig({
      hooks: [
        { type: 'tdd' },
        { type: 'tdd' },
        maxFiles(3),
        './hooks/size.mjs',
        { stopJs: '.claude/hooks/stop.js' },
        function tidy() {
          return { action: 'continue', reason: '' };
        },
        () => ({ action: 'continue', reason: '' }),
        { name: 'mine', enabled: false, hook: { type: 'default' } },
      ],
    });
    expect(hooks.map(({ name }) => name)).toEqual([
      'tdd',
      'tdd-2',
      'max-files',
      'size.mjs',
      'stop.js',
      'tidy',
      'hook-7',
      'mine',
    ]);
    expect(hooks.at(-1)?.enabled).toBe(false);
  });

  test('measures alone are enough', () => {
    const { measures } = readConfig({
      measures: { lines: 'wc -l a', failures: { command: 'f', target: '<=0' } },
    });
    expect(measures).toEqual([
      { name: 'lines', command: 'wc -l a', timeoutMs: null, keep: false, target: null },
      { name: 'failures', command: 'f', timeoutMs: null, keep: false, target: { is: '<=', bound: 0 } },
    ]);
  });

  test('defineConfig gives it back as it is', () => {
    const config: DacapoConfig = { checks: { tests: 'npm test' }, hooks: [maxFiles(20)] };
    expect(defineConfig(config)).toBe(config);
  });
});

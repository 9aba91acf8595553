// @module-tag agents
// Which tools the real programs offer to a model, with their fields. `test/hosts/tool-table` says what each of them means
// to the guard: a new name fails here first, and is classified there.
import { describe, expect, test } from 'vitest';
import { isRecord, parseAs } from '#base/shape.ts';
import { word, type Asked, type Tool } from './script.ts';
import { hostStage } from './stage.ts';
import { HOST_RIGS, type RigName } from './table.ts';

/** Some hosts name more tools in a text, and show their fields to a model that asks. */
const DEFERRED: Partial<Record<RigName, { ask: string; names: RegExp }>> = {
  'claude-code': { ask: 'ToolSearch', names: /before calling them:\n((?:\w+\n)+)/ },
  droid: { ask: 'ToolSearch', names: /Deferred tools:\n((?:\w+\n)+)/ },
  qwen: { ask: 'tool_search', names: /### Bundled\n((?:- "\w+".*\n)+)/ },
};

function fieldsOf(schema: unknown): string {
  const properties = isRecord(schema) ? schema['properties'] : null;
  return isRecord(properties) ? Object.keys(properties).toSorted().join(' ') : '';
}

/** Qwen answers with the schemas, the others add them to the next request. */
function schemasIn({ text, tools }: Asked): Tool[] {
  const told = Array.from(text.matchAll(/<function>(\{.*?\})<\/function>/gs), ([, one = '']) => one);
  const read = told.map((one) => parseAs(isRecord, one) ?? {});
  return [
    ...tools,
    ...read.map((one) => ({
      name: word(one['name']),
      parameters: one['parameters'] ?? one['parametersJsonSchema'],
    })),
  ];
}

for (const name of Object.keys(HOST_RIGS) as RigName[])
  describe(`the real ${name}`, () => {
    test('offers the tools that are classified, with their fields', async () => {
      const deferred = DEFERRED[name];
      const stage = await hostStage(name, ({ n, messages }) => {
        if (deferred === undefined || n > 0) return 'Done.';
        const told = messages.map(({ text }) => text).join('\n');
        const names = Array.from(
          (deferred.names.exec(`${told}\n`)?.[1] ?? '').matchAll(/^(?:- ")?(\w+)/gm),
          ([, one]) => one,
        );
        expect(names).not.toEqual([]);
        return {
          call: { tool: deferred.ask, input: { query: `select:${names.join(',')}`, max_results: 20 } },
        };
      });
      await stage.start('Hi').done;
      const last = stage.model.requests.at(-1);
      const tools = (last ? schemasIn(last) : []).map(
        ({ name: tool, parameters }) => `${tool}: ${fieldsOf(parameters)}\n`,
      );
      // `npx vitest run --project e2e tools -u` takes what a new version has.
      await expect(tools.toSorted().join('')).toMatchFileSnapshot(`../../hosts/tool-schemas/${name}.txt`);
    });
  });

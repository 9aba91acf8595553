/** What a tool is, and how its answer or refusal reaches the client. A tool has no logic of its own. */
import { sayProof } from '#law/words/check-outcomes.ts';
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { isRecord } from '#base/shape.ts';
import { withTags } from '#base/words/sanitize.ts';
import { isRefusal, type Refusal } from '#base/refusal.ts';
import type { Schema } from '#input/schema/schema.ts';
import { jsonInKeyOrder } from '#hosts/tools/tools.ts';
import type { ClientCall } from '../tasks/task.ts';
import type { ToolContext } from './tool-context.ts';
import { standard } from './fields.ts';

export interface Tool<Input, Output> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema<Input>;
  readonly output: Schema<Output>;
  /**
   * `reads`: it changes nothing. `repeatable`: calling it twice is the same as once. `destroys`: it takes
   * something away. Left out: each call adds something.
   */
  readonly hints?: 'reads' | 'repeatable' | 'destroys';
  readonly run: (
    input: Input,
    call: ClientCall,
    toolContext: ToolContext,
  ) => Promise<Output | Refusal> | Output | Refusal;
}

/** Registers it; the types of its input and output end here. */
export type AnyTool = (server: McpServer, toolContext: ToolContext) => void;

export function tool<Input, Output extends object>(given: Tool<Input, Output>): AnyTool {
  return (server, toolContext) => {
    const { name, title, description, input, output, hints, run } = given;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: standard(input, name),
        outputSchema: standard(output, `the answer of ${name}`),
        annotations: {
          readOnlyHint: hints === 'reads',
          idempotentHint: hints !== undefined,
          destructiveHint: hints === 'destroys',
          openWorldHint: false,
        },
      },
      async (asked, context) =>
        answer(await run(asked, callOf(context), { ...toolContext, speech: jsonInKeyOrder([name, asked]) })),
    );
  };
}

/** What a tool answers is not the agent's message, so a tag in it promises nothing. */
function answer(given: object): CallToolResult {
  if (!isRefusal(given)) {
    const text = withTags(JSON.stringify(given, null, 2));
    const structuredContent: unknown = JSON.parse(text);
    return { content: [{ type: 'text', text }], ...(isRecord(structuredContent) && { structuredContent }) };
  }
  const { code, message, next } = given;
  const text = withTags(`${code}: ${message}\n${next}`);
  return { isError: true, content: [{ type: 'text', text }] };
}

function callOf({ mcpReq }: ServerContext): ClientCall {
  const token = mcpReq._meta?.progressToken;
  let step = 0;
  return {
    signal: mcpReq.signal,
    // An answer is written before the next turn of the event loop.
    answered: (act) => void setImmediate(act),
    progress: (what, outcome) => {
      if (token === undefined) return;
      const message = outcome === null ? `running ${what}` : `${what}: ${sayProof(outcome)}`;
      const params = { progressToken: token, progress: ++step, message };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

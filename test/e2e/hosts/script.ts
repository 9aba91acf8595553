// What the scripted model says, whatever protocol it is asked in.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { isRecord } from '#base/shape.ts';

export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that came from the cache. */
  readonly cached?: number;
}

/**
 * `run`: a shell command; `call`: a tool whose name ends so, whatever the host puts before it. `delay` (ms)
 * comes first.
 */
export interface Said {
  readonly text?: string;
  readonly run?: string;
  readonly call?: { readonly tool: string; readonly input: Record<string, unknown> };
  readonly usage?: Usage;
  readonly delay?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Failed {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A string is a text that ends the turn. */
export type Turn = string | Said | Failed;

export interface Tool {
  readonly name: string;
  /** A JSON Schema. */
  readonly parameters: unknown;
  /** Responses groups the tools of an MCP server under its name. */
  readonly namespace?: string;
}

/** What a protocol reads in a request. */
export interface Read {
  readonly model: string;
  readonly tools: readonly Tool[];
  /** System prompt, prompts, answers and tool results, oldest first. */
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly stream: boolean;
}

export interface Asked extends Read {
  /** 0-based, counted for each host. */
  readonly n: number;
  /** The host, by the first folder of the path. */
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** All that the user or a tool has said since the answer before. */
  readonly text: string;
}

export type Script = readonly [Turn, ...Turn[]] | ((asked: Asked) => Turn | Promise<Turn>);

/** A tool call as the host offers it. */
export interface Call {
  readonly id: string;
  readonly tool: Tool;
  readonly input: Record<string, unknown>;
}

export interface Answer {
  readonly id: string;
  readonly text: string;
  readonly calls: readonly Call[];
  readonly usage: Usage;
}

/** How one API is spoken. */
export interface Protocol {
  /** Whether it is asked at this path. */
  readonly path: RegExp;
  readonly read: (body: Record<string, unknown>, path: string) => Read;
  readonly send: (response: ServerResponse, asked: Read, answer: Answer) => void;
  readonly fault: (status: number, message: string) => unknown;
}

let lastId = 0;
const nextId = (prefix: string): string => `${prefix}_scripted${String(++lastId).padStart(6, '0')}`;

export function answerOf(said: Said, tools: readonly Tool[]): Answer {
  const calls: Omit<Call, 'id'>[] = [];
  if (said.run !== undefined) calls.push(shellCall(said.run, tools));
  if (said.call !== undefined) calls.push({ tool: toolNamed(said.call.tool, tools), input: said.call.input });
  return {
    id: nextId('answer'),
    text: said.text ?? '',
    calls: calls.map((call) => ({ id: nextId('call'), ...call })),
    usage: said.usage ?? { input: 100, output: 20 },
  };
}

const COMMAND_FIELDS = ['command', 'cmd'];

/** The shell tool takes a command; some editors do too, but theirs is one of a few words. */
function shellCall(command: string, tools: readonly Tool[]): Omit<Call, 'id'> {
  for (const tool of tools) {
    const { properties, required } = schemaOf(tool);
    const field = COMMAND_FIELDS.find((name) => isRecord(properties[name]) && !('enum' in properties[name]));
    if (field === undefined) continue;
    const others = required
      .filter((name) => name !== field)
      .map((name) => [name, exampleOf(properties[name])] as const);
    const given = isArray(properties[field]) ? ['sh', '-c', command] : command;
    return { tool, input: { [field]: given, ...Object.fromEntries(others) } };
  }
  throw new Error(`no shell tool among ${tools.map(({ name }) => name).join(', ')}`);
}

function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const found = tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name.endsWith(name));
  if (found === undefined)
    throw new Error(`no tool ${name} among ${tools.map((tool) => tool.name).join(', ')}`);
  return found;
}

function schemaOf({ parameters }: Tool): { properties: Record<string, unknown>; required: string[] } {
  const { properties, required } = isRecord(parameters) ? parameters : {};
  return {
    properties: isRecord(properties) ? properties : {},
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

const isArray = (schema: unknown): boolean =>
  isRecord(schema) && word(schema['type']).toLowerCase() === 'array';

/** A value for a field that a tool insists on. */
function exampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return 'scripted';
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  // Gemini writes the types in capitals.
  switch (word(schema['type']).toLowerCase()) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 10;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'scripted';
  }
}

/** Every text in a message's content, tool results included. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textIn).filter(Boolean).join('\n');
  if (!isRecord(content)) return '';
  const inner = ['text', 'content', 'output', 'parts', 'functionResponse', 'response', 'result', 'arguments'];
  return inner
    .map((key) => textIn(content[key]))
    .filter(Boolean)
    .join('\n');
}

export const word = (value: unknown): string => (typeof value === 'string' ? value : '');

export const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one): one is Record<string, unknown> => isRecord(one)) : [];

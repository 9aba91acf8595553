/** The real server, as a host starts it, and the official client in either era of the protocol. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, type CallToolResult, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { isRecord } from '#base/shape.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { Store } from '#store/store.ts';
import { warmHome } from '../../warm.ts';

export const SERVER = resolve(import.meta.dirname, '../../../plugin/dist/mcp.cjs');
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/** A project and a home of their own, for one test. */
export interface Place {
  readonly project: string;
  readonly home: string;
  readonly store: Store;
}

export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-mcp-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  warmHome(home);
  mkdirSync(project);
  return { project, home, store: fileStore(homeAt(home)) };
}

export interface Connected {
  readonly client: Client;
  readonly pid: () => number;
  /** The structured content of the answer; throws if it is an error. */
  readonly call: (tool: string, input?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** The text of the error; throws if it is none. */
  readonly refused: (tool: string, input?: Record<string, unknown>) => Promise<string>;
  readonly stderr: () => string;
}

export async function connect(
  place: Place,
  era: Era = '2026-07-28',
  env: Record<string, string> = {},
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SERVER],
    cwd: place.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: place.home, DACAPO_HOME: place.home, ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const connected = await connectBy(transport, era);
  return { ...connected, pid: () => transport.pid ?? 0, stderr: () => stderr };
}

export async function connectBy(transport: Transport, era: Era): Promise<Connected> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } } },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  const ask = async (name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> =>
    client.callTool({ name, arguments: input });
  return {
    client,
    pid: () => 0,
    stderr: () => '',
    call: async (tool, input) => {
      const { isError, content, structuredContent } = await ask(tool, input);
      if (isError || !isRecord(structuredContent)) throw new Error(`${tool}: ${textOf(content)}`);
      return structuredContent;
    },
    refused: async (tool, input) => {
      const { isError, content } = await ask(tool, input);
      if (!isError) throw new Error(`${tool} was not refused: ${textOf(content)}`);
      return textOf(content);
    },
  };
}

function textOf(content: CallToolResult['content']): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

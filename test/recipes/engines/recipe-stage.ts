/** A fleet for the recipes: `dacapo` is on the path, and the URL in a file, as on the machines of an engine. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { CLI } from '../../surfaces/cli/box.ts';
import { openStage, type Stage } from '../../fleet/stage.ts';

export const ENGINES = resolve(import.meta.dirname, '../../../examples/engines');

export interface Running {
  /** What it has said so far. */
  readonly said: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly code: Promise<number | null>;
}

export interface RecipeStage {
  readonly stage: Stage;
  /** Of whatever an engine starts: nothing in it tells where the fleet is but the name of a file. */
  readonly env: Record<string, string>;
  readonly start: (program: string, args: readonly string[], env?: Record<string, string>) => Running;
}

export async function openRecipeStage(): Promise<RecipeStage> {
  const stage = await openStage();
  const url = join(stage.root, 'url');
  writeFileSync(url, stage.url, { mode: 0o600 });
  // The tests have one login, that of the owner.
  const owner = '[ "$1" != worker ] || set -- "$@" --as-owner';
  const run = `exec '${process.execPath}' '${CLI}' "$@"`;
  writeProgram(stage, 'dacapo', `${owner}\n${run}`);
  const { DACAPO_FLEET: _, ...rest } = stage.env;
  const env = { ...rest, DACAPO_URL_FILE: url };
  return {
    stage,
    env,
    start: (program, args, more = {}) => {
      const all = { ...env, ...more };
      const child = spawn(program, args, { cwd: stage.root, env: all, stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
      const code = new Promise<number | null>((done) => child.on('close', done));
      return { said: () => said, signal: (signal) => void child.kill(signal), code };
    },
  };
}

export function writeProgram(stage: Stage, name: string, script: string): void {
  writeFileSync(join(stage.root, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** The last line of a worker. */
export function exitLine(said: string): unknown {
  const line = said.trim().split('\n').at(-1) ?? '';
  return line.startsWith('{') ? JSON.parse(line) : line;
}

export function readYaml(path: string): unknown[] {
  return parseAllDocuments(readFileSync(join(ENGINES, path), 'utf8')).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${path} is no YAML`, { cause: error });
    return document.toJS() as unknown;
  });
}

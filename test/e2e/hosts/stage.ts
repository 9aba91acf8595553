// A disposable world for the real programs of other hosts: HOME, project, environment, settings, scripted
// model.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ACP_PACKAGES, HOSTS, installedHost } from '../../../scripts/test/hosts.mjs';
import { assertTagged } from '../../needs.ts';
import { startHeadless, type RunOptions, type Started } from '../headless.ts';
import { CLAUDE, makeSandbox, type Sandbox } from '../sandbox.ts';
import { ACP_RIGS, type AcpRigName } from './acp-agents.ts';
import { startModel, type Model } from './model.ts';
import type { Script } from './script.ts';
import { HOST_RIGS, type HostRig, type RigName } from './table.ts';

type StageName = RigName | AcpRigName;

const RIGS = { ...HOST_RIGS, ...ACP_RIGS };
const VERSIONS = { ...HOSTS, ...ACP_PACKAGES };

export interface HostStage extends Sandbox {
  readonly model: Model;
  /** Merges JSON into a file below HOME. */
  readonly merge: (path: string, value: object) => void;
  /** The host, headless. */
  readonly start: (prompt: string, more?: readonly string[], options?: RunOptions) => Started;
  /** Registers a shell command as the host's stop hook. */
  readonly stopHook: (command: string) => void;
}

/** Claude Code is a development dependency. */
const found = (name: StageName): ReturnType<typeof installedHost> =>
  name === 'claude-code' ? { program: CLAUDE } : installedHost(name);

// A little less than a test has. On a busy machine the slowest take 25 s for three turns.
const LONGEST_MS = 55_000;

function programOf(name: StageName): string {
  const rig: HostRig = RIGS[name];
  return rig.program ?? name;
}

/**
 * The program, with its version at hand: most of them load all that they have to tell it, and Da Capo asks at
 * every start.
 */
function startsAs(program: string, version: string): string {
  return `#!/bin/sh\n[ "$*" = --version ] && exec echo ${version}\nexec '${program}' "$@"\n`;
}

/** The first host is the one that `start` and `stopHook` mean; `others` are on the PATH too. */
export async function hostStage(name: StageName, script: Script, ...others: StageName[]): Promise<HostStage> {
  assertTagged('agents');
  const model = await startModel(script);
  onTestFinished(model.close);
  const names = [name, ...others];
  const rigs = names.map((one): [string, HostRig] => [`${model.url}/${one}`, RIGS[one]]);
  const env = Object.fromEntries(rigs.flatMap(([base, rig]) => Object.entries(rig.env?.(base) ?? {})));
  const sandbox = makeSandbox({ url: `${model.url}/claude-code` }, env);
  onTestFinished(sandbox.close);
  const bin = join(sandbox.root, 'bin');
  mkdirSync(bin);
  for (const one of names) {
    const { program, missing } = found(one);
    if (program === undefined) throw new Error(missing);
    if (one === 'claude-code') symlinkSync(program, join(bin, programOf(one)));
    else writeFileSync(join(bin, programOf(one)), startsAs(program, VERSIONS[one].version), { mode: 0o755 });
  }
  sandbox.env['PATH'] = `${bin}:${sandbox.env['PATH']}`;

  const keep = (path: string, content: string | object): void => {
    const full = join(sandbox.home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  };
  const merge = (path: string, value: object): void => {
    const full = join(sandbox.home, path);
    const before: object = existsSync(full) ? JSON.parse(readFileSync(full, 'utf8')) : {};
    keep(path, { ...before, ...value });
  };
  for (const [base, rig] of rigs)
    for (const [path, content] of Object.entries(rig.files?.(base, sandbox.project) ?? {}))
      keep(path, content);

  const rig: HostRig = RIGS[name];
  return {
    ...sandbox,
    model,
    merge,
    start: (prompt, more = [], options = {}) =>
      startHeadless(join(bin, programOf(name)), [...rig.headless(prompt), ...more], sandbox, {
        timeout: LONGEST_MS,
        grace: LONGEST_MS,
        ...options,
      }),
    stopHook: (command) => {
      for (const [path, value] of Object.entries(rig.stopHook(command)))
        if (typeof value === 'string') keep(path, value);
        else merge(path, value);
    },
  };
}

/** Projects with a config, for tests of hearings. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Event, EventOf } from '#law/record/events.ts';
import { accountOf } from '#law/proof/stop-hooks.ts';
import { pinConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import { Stage } from './stage.ts';

export function put(stage: Stage, file: string, content: string): void {
  const path = join(stage.project, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** As `dacapo trust` does it, where Node loads these files for the config. */
export function trust(stage: Stage, file = 'dacapo.config.mjs', loads: readonly string[] = []): void {
  const pinned = pinConfig(stage.project, file, { files: loads, fields: [] });
  if (!pinned.ok) throw new Error(pinned.message);
  stage.store.trust.keep({ ...pinned, project: stage.project, file, at: stage.now() });
}

/** A project whose config is this, and trusted. */
export function configured(config: string, file = 'dacapo.config.mjs'): Stage {
  const stage = new Stage();
  put(stage, file, file.endsWith('.json') ? config : `export default ${config};`);
  trust(stage, file);
  return stage;
}

export function git(stage: Stage, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
    cwd: stage.project,
    encoding: 'utf8',
  });
}

/** A repository with one commit. */
export function repository(stage: Stage): Stage {
  git(stage, 'init', '-q');
  git(stage, 'add', '-A');
  git(stage, 'commit', '-qm', 'begin', '--allow-empty');
  return stage;
}

export function asked(stage: Stage): EventOf<'asked'>[] {
  return stage.journal().filter((event: Event) => event.type === 'asked');
}

/** Who was asked at the last stop, and what came of it. */
export function lastAccount(stage: Stage): string[] {
  const last = asked(stage).at(-1);
  return last === undefined ? [] : accountOf(last).map(({ hook, is }) => `${hook} ${is}`);
}

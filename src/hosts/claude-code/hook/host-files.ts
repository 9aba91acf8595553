/** Where no tool of Claude Code may write while a loop runs (2.1.325). */
import { join } from 'node:path';
import type { Environment } from '#hosts/port/arrival.ts';
import { hostGround } from '#hosts/project/host-ground.ts';
import { CLAUDE_CODE_NAME } from '../names.ts';
import { configFolder, managedSettings, settingsPath } from '../setup/places.ts';

/**
 * The ground of the judge: what decides how the host runs our hooks and with what environment, and what it
 * records of the session. An agent that writes there takes the judge over, so the guard refuses it. Files,
 * and folders with all in them.
 */
export function hostFiles(project: string, transcript: string, env: Environment): string[] {
  const place = { project, env, platform: process.platform };
  const managed = managedSettings(place);
  const user = configFolder(env);
  return [
    ...hostGround(CLAUDE_CODE_NAME).map((path) => join(project, path)),
    settingsPath('user', place),
    join(user, 'settings.local.json'),
    join(user, 'plugins'),
    // Which projects are trusted, and the servers that run for each. It lies beside the folder, or in one
    // that was named.
    `${user}.json`,
    join(user, '.claude.json'),
    // With these a person answers the loop. An agent that changed one could schedule it as a prompt.
    ...[user, join(project, '.claude')].flatMap((folder) =>
      ['approve', 'reject', 'answer'].flatMap((verb) => [
        join(folder, 'commands', `${verb}-ralph.md`),
        join(folder, 'skills', `${verb}-ralph`),
      ]),
    ),
    managed,
    managed.replace(/\.json$/, '.d'),
    // What the session has used is counted there, and in the files of its subagents.
    ...(transcript === '' ? [] : [transcript, transcript.replace(/\.jsonl$/, '')]),
  ];
}

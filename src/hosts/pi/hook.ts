/** pi as a host that calls our hook, by the extension in `plugin/extensions/pi`. */
import { join } from 'node:path';
import { jsonHost } from '../json/host.ts';
import { PI, piHome, TOOLS } from './names.ts';

export const pi = jsonHost({
  name: PI.name,
  tools: TOOLS,
  hostFiles: (project, env) => [
    ...[piHome(env), join(project, '.pi')].flatMap((folder) =>
      ['settings.json', 'extensions'].map((name) => join(folder, name)),
    ),
    join(piHome(env), 'sessions'),
  ],
});

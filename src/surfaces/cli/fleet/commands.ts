/** The commands of a fleet: loops on any number of machines, with one Postgres between them. */
import { command, type CommandGroup } from '../command.ts';
import { readCount, readLabels } from '#input/values.ts';
import { EACH } from './flags.ts';

export const FLEET: CommandGroup = {
  heading: 'Work on many machines:',
  commands: [
    command('worker', 'take loops of a fleet', {
      about:
        'Takes loops of a fleet and drives them here, each in a process of its own, until it is told ' +
        'to stop. SIGTERM and Ctrl-C hand its loops over after their passes; a second one at once.',
      flags: {
        '--name NAME': 'its name in the fleet (default: that of the machine, and a number)',
        '--labels LABELS': {
          read: readLabels,
          otherwise: '',
          help: 'what it can do, for loops that need it: linux,gpu',
        },
        '--capacity N': { read: readCount, otherwise: '1', help: 'how many loops at the same time' },
        '--accept GLOB': {
          help: 'only loops of such repositories; may be given several times',
          repeatable: true,
        },
        '--as-owner': 'work as the owner of the database, which each agent of this worker could then become',
        '--health PORT': 'answer GET /health on this port of 127.0.0.1; HOST:PORT for another address',
        ...EACH,
      },
      run: async (given) => (await import('./worker.ts')).runWorker(given),
    }),
    command('fleet', 'give loops to workers, and steer them', {
      about: 'Gives loops to the workers of a fleet, and shows and steers them from anywhere.',
      inner: async () => (await import('./inner.ts')).FLEET_COMMANDS,
      run: () => Promise.reject(new Error('the command within is missing')),
    }),
  ],
};

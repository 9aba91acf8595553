/** The commands of a fleet: loops on any number of machines, with one Postgres between them. */
import { command, type CommandGroup } from '../command.ts';
import { readCount, readDuration, readLabels } from '#input/values.ts';
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
        '--once':
          'take one loop, and end when it ends, waits or is lost; the exit code tells an engine which',
        '--loop ID': 'the same, with this loop or none',
        '--until-idle DURATION': {
          read: readDuration,
          help: 'end when there was nothing to take for this long (with --once: at once)',
        },
        '--max-time DURATION': {
          read: readDuration,
          help: 'take nothing new after this time, hand the loops over, and end',
        },
        '--grace DURATION': {
          read: readDuration,
          help: 'be gone this long after SIGTERM; a pass that has not ended by then is handed over uncounted',
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

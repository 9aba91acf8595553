/** The commands of a fleet: loops on any number of machines, with one Postgres between them. */
import { command, type CommandGroup } from '../command.ts';
import { readAcpHost, readCount, readDuration, readLabels } from '#input/values.ts';
import { EACH } from './flags.ts';

export const FLEET: CommandGroup = {
  heading: 'Work on many machines:',
  commands: [
    command('worker', 'work on the loops of a fleet, on this machine', {
      about:
        'Takes loops of a fleet and runs them on this machine, each in its own process. On SIGTERM or ' +
        'Ctrl-C it finishes its current iterations and releases its loops. A second signal releases them ' +
        'at once.',
      flags: {
        '--name NAME': 'its name in the fleet (default: the name of the machine and a number)',
        '--labels LABELS': {
          read: readLabels,
          otherwise: '',
          help: 'labels for fleet submit --needs: linux,gpu',
        },
        '--host HOST': {
          field: 'agents',
          repeatable: true,
          read: readAcpHost,
          help: 'also take loops of this agent, by its exact command: acp:COMMAND; repeatable',
        },
        '--capacity N': { read: readCount, otherwise: '1', help: 'how many loops it runs at the same time' },
        '--accept GLOB': {
          help: 'take only loops of repositories whose URL matches; repeatable',
          repeatable: true,
        },
        '--once': 'take one loop and exit when it ends, waits or is lost; the exit code says which',
        '--loop ID': 'the same, with this loop',
        '--until-idle DURATION': {
          read: readDuration,
          help: 'exit when there was no loop to take for this long (with --once: at once)',
        },
        '--max-time DURATION': {
          read: readDuration,
          help: 'after this time take no more loops, release those it has, and exit',
        },
        '--grace DURATION': {
          read: readDuration,
          help: 'exit this long after SIGTERM at the latest; iterations that still run are not counted',
        },
        '--share-home':
          'let all loops use the home, caches and temporary folder of this user; without it, each has ' +
          'its own',
        '--lend PATH': {
          help: 'give each loop a copy of this file or folder of your home; repeatable',
          repeatable: true,
        },
        '--as-owner':
          'accept a database login that owns the tables; agents on this machine could then use it',
        '--health PORT': 'answer GET /health on this port of 127.0.0.1, or at HOST:PORT',
        ...EACH,
      },
      run: async (given) => (await import('./worker.ts')).runWorker(given),
    }),
    command('fleet', 'run loops on a fleet of workers', {
      about:
        'Gives loops to workers on any number of machines, and shows and steers them from anywhere. The ' +
        'machines share one Postgres database.',
      inner: async () => (await import('./inner.ts')).FLEET_COMMANDS,
      run: () => Promise.reject(new Error('the command within is missing')),
    }),
  ],
};

/**
 * Git over a network, from a repository without settings. An agent can write `core.sshCommand`,
 * `url.….insteadOf` or a credential helper into the `.git/config` of its tree, and git would run that program
 * as us. So each conversation gets a bare repository of its own, which reads the objects of the tree and
 * nothing else of it. The person's own settings (global and system) count: they have the credentials.
 */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withScratch } from '#base/files/scratch.ts';
import { git, type AskGit } from './git.ts';
import { listFolders, type Repository } from './repository.ts';

/** A first clone or push over a slow line takes minutes. */
export const NETWORK_MS = 600_000;
export const NETWORK = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' };
export const PUSH = ['push', '--quiet', '--no-verify'] as const;
export const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
] as const;

export interface RelayOrder {
  readonly repository: Pick<Repository, 'objects' | 'format' | 'head'>;
  /** Folders of objects beside those of the repository. */
  readonly beside?: readonly string[];
  /** Where objects go that are fetched; by default nowhere that lasts. */
  readonly into?: string;
  readonly signal?: AbortSignal | undefined;
  /** Whose settings and credentials of git count, where they are not those of this process. */
  readonly as?: Readonly<Record<string, string>>;
}

export function withRelay<T>(order: RelayOrder, use: (ask: AskGit) => Promise<T>): Promise<T> {
  const { repository, beside = [], into, signal, as = {} } = order;
  return withScratch('relay', (relay) => {
    makeRelay(relay, repository);
    const env = {
      ...as,
      ...NETWORK,
      GIT_DIR: relay,
      GIT_OBJECT_DIRECTORY: into ?? join(relay, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: listFolders(
        [repository.objects, ...beside].filter((one) => one !== into),
      ),
    };
    return use((args) => git(args, { at: relay, env, ms: NETWORK_MS, signal }));
  });
}

function makeRelay(relay: string, { objects, format, head }: RelayOrder['repository']): void {
  for (const folder of ['objects', 'refs']) mkdirSync(join(relay, folder));
  writeFileSync(join(relay, 'HEAD'), 'ref: refs/heads/none\n');
  const [version, extension] =
    format === 'sha1' ? [0, ''] : [1, `[extensions]\n\tobjectFormat = ${format}\n`];
  const core = `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = true\n`;
  writeFileSync(join(relay, 'config'), `${core}${extension}`);
  // The other side then sends only what is missing here.
  if (head !== null) writeFileSync(join(relay, 'packed-refs'), `${head} refs/have\n`);
  const shallow = join(dirname(objects), 'shallow');
  if (existsSync(shallow)) copyFileSync(shallow, join(relay, 'shallow'));
}

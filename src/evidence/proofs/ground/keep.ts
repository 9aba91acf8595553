/**
 * The ground as it was when the loop began: a listing, and the contents in one packed blob beside it. The
 * journal names the digest of the listing, and the listing that of the contents, so a swapped one is noticed.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  attempt,
  flag,
  isRecord,
  list,
  oneOf,
  orNull,
  parseAs,
  record,
  text,
  whole,
  type Infer,
  type Shape,
} from '#base/shape.ts';
import { sha256 } from '#base/files/sha256.ts';
import type { Blobs } from '#store/open-loop.ts';
import type { GroundFile } from './list.ts';
import { outside, type Outside } from './outside.ts';
import type { Packages } from './dependencies/packages.ts';

const allOf =
  <T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> =>
  (value): value is Record<string, T> =>
    isRecord(value) && Object.values(value).every(shape);

const listing = record({
  contents: text,
  outside,
  packages: record({
    signatures: orNull(allOf(record({ stamp: text, content: text }))),
    isRead: flag,
    manifests: allOf(text),
  }),
  files: list(
    record({
      path: text,
      kind: oneOf('test', 'config'),
      hash: text,
      mode: oneOf('file', 'executable', 'link'),
      bytes: whole,
    }),
  ),
});
type KeptListing = Infer<typeof listing>;

/** What a start keeps. The loop does not exist yet, so it writes it later. */
export interface PackedGround {
  readonly digest: string;
  readonly listing: string;
  readonly pack: string;
}

export function packGround(
  files: readonly GroundFile[],
  { packages, outside }: Pick<KeptGround, 'packages' | 'outside'>,
): PackedGround {
  // Text, because a loop that moves to another machine takes its blobs with it as text.
  const bytes = Buffer.concat(files.map(({ content }) => content));
  const pack = gzipSync(bytes).toString('base64');
  const kept: KeptListing = {
    contents: sha256(bytes),
    packages,
    ...(outside !== undefined && { outside }),
    files: files.map(({ content, ...file }) => ({ ...file, bytes: content.length })),
  };
  const content = JSON.stringify(kept);
  return { digest: sha256(content), listing: content, pack };
}

export function keepGround(
  blobs: Pick<Blobs, 'write'>,
  { digest, listing: content, pack }: PackedGround,
): void {
  blobs.write(listingName(digest), content);
  blobs.write(packName(digest), pack);
}

export interface KeptGround {
  readonly files: readonly GroundFile[];
  readonly packages: Packages;
  /** Absent: the loop was begun by an earlier version. */
  readonly outside?: Outside | undefined;
}

/** Null: it is gone, or not what was stored. */
export function readGround(blobs: Pick<Blobs, 'read'>, digest: string): KeptGround | null {
  const [content, pack] = [blobs.read(listingName(digest)), blobs.read(packName(digest))];
  const kept = content !== null && sha256(content) === digest ? parseAs(listing, content) : null;
  if (kept === null || pack === null) return null;
  const bytes = attempt(() => gunzipSync(Buffer.from(pack, 'base64')), null);
  if (bytes === null || sha256(bytes) !== kept.contents) return null;
  let at = 0;
  const files = kept.files.map(({ bytes: length, ...file }) => ({
    ...file,
    content: bytes.subarray(at, (at += length)),
  }));
  return { files, packages: kept.packages, outside: kept.outside };
}

function listingName(digest: string): string {
  return `ground/${digest}.json`;
}

function packName(digest: string): string {
  return `ground/${digest}.pack`;
}

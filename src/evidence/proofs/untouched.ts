/**
 * Runs the checks, and makes sure that nothing they rest on was swapped and put back meanwhile. A formatter
 * that writes the same bytes again looks the same, but usually does so once. So the checks run a second time,
 * and after that a person decides.
 */
import { framesOf } from '#law/loop.ts';
import { lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { featuresOf, takesAny } from '#law/gates.ts';
import type { CheckProof, GateResult } from '#law/record/verdict.ts';
import { attempt } from '#base/shape.ts';
import { sayNames } from '#law/words/phrases.ts';
import { isIn, realPath, seenFromFolder } from '#base/files/paths.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { readListing } from './changes.ts';

export interface Checked {
  readonly proven: readonly CheckProof[];
  /** The results are void. */
  readonly tampering: GateResult | null;
  /** Only a person can say whether the results count. */
  readonly doubt: GateResult | null;
}

/** `changed`: whether a content differs from what it was before the checks. */
export async function proveUntouched(
  run: () => Promise<CheckProof[]>,
  changed: () => GateResult | null,
  open: OpenLoop,
  runtime: Runtime,
): Promise<Checked> {
  const { project, id } = open.loop();
  const files = filesBelowProof(open);
  for (let again = false; ; again = true) {
    const before = stampsOf(files, project);
    const proven = await run();
    const tampering = proven.length === 0 ? null : changed();
    // After the look at the contents, because what is put back between the two would not show.
    const touched = tampering === null && mayComplete(open, proven) ? touchedSince(before) : [];
    if (touched.length === 0) return { proven, tampering, doubt: null };
    const names = sayNames(touched.map((path) => seenFromFolder(project, path)));
    const says =
      `The checks pass, but both times something touched ${names} while they ran and left the content ` +
      'as it was. A formatter does that, and so does a test that is swapped and put back';
    const doubt: GateResult = { gate: 'protected', holds: true, says, trouble: null, doubt: true };
    if (again) return { proven, tampering, doubt };
    runtime.log(`loop=${id} the checks run again, because something touched ${names} while they ran`);
  }
}

/** Checks that fail complete nothing, whatever they wrote. */
function mayComplete(open: OpenLoop, proven: readonly CheckProof[]): boolean {
  const passed = proven.filter(({ outcome }) => outcome.is === 'passed').length;
  return passed > 0 && (passed === proven.length || takesAny(open.loop().frame));
}

/**
 * Protected files, lists and the config. Of the files behind the config, Node loads none that has changed.
 */
function filesBelowProof({ loop, blobs }: OpenLoop): string[] {
  const { project, protection, config, ...rest } = loop();
  const { baseline } = protection;
  const kept = baseline === null ? [] : (readListing(blobs, baseline) ?? []).map(({ path }) => path);
  const lists = framesOf(rest).flatMap((frame) => [
    featuresOf(frame)?.file,
    frame.items?.from.is === 'file' ? frame.items.from.file : undefined,
  ]);
  return [...kept, ...lists, config?.file].flatMap((file) =>
    file === undefined ? [] : resolve(project, file),
  );
}

/**
 * Tells a file that nobody touched from one that was swapped and put back. Both have the same content, but
 * only root can set a change time back. The folders above a file count too: renaming one leaves the files in
 * it as they are.
 */
interface EntryStamp {
  readonly isFolder: boolean;
  /** Which file it is, and how large. A folder grows with its entries. */
  readonly which: string;
  readonly changed: bigint;
}

/** Files, what they link to, and the folders above them up to the project, by path. */
type Stamps = ReadonlyMap<string, EntryStamp | null>;

function stampsOf(files: readonly string[], project: string): Stamps {
  const stamps = new Map<string, EntryStamp | null>();
  for (const file of files)
    for (const named of new Set([file, realPath(file)]))
      for (let path = named; !stamps.has(path); path = dirname(path)) {
        stamps.set(path, readStamp(path));
        if (!isIn(dirname(path), project)) break;
      }
  return stamps;
}

function readStamp(path: string): EntryStamp | null {
  const stat = attempt(() => lstatSync(path, { bigint: true }), null);
  if (stat === null) return null;
  const isFolder = stat.isDirectory();
  const which = `${stat.dev}.${stat.ino}${isFolder ? '' : `.${stat.size}`}`;
  return { isFolder, which, changed: stat.ctimeNs };
}

function touchedSince(before: Stamps): string[] {
  const now = new Map([...before.keys()].map((path) => [path, readStamp(path)]));
  const isOld = (path: string) => now.get(path)?.changed === before.get(path)?.changed;
  return [...before].flatMap(([path, was]) => {
    const is = now.get(path);
    if (is?.which !== was?.which) return [path];
    // A new entry changes a folder. A folder that was renamed has changed, and so has the one around it.
    const isQuiet = isOld(path) || (was?.isFolder === true && isOld(dirname(path)));
    return isQuiet ? [] : [path];
  });
}

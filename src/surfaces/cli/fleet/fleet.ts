/**
 * What every command of a fleet does first: find its database, connect, and check that this program knows its
 * tables.
 */
import { UnfitRecord } from '#fleet/codec/rows.ts';
import { explainDatabaseError, openDatabase, type Database } from '#fleet/database/database.ts';
import { refuseSchema } from '#fleet/schema/version.ts';
import { findAddress, type Address } from '#fleet/database/address.ts';
import type { GivenFlags } from '../command.ts';
import { homeFolder } from '#store/file/home.ts';
import { findLoop } from '#fleet/record.ts';
import { EXIT, failFor } from '../terminal/terminal.ts';

export type FleetOptions = GivenFlags<'json', 'database'>;

export function addressOf(
  { database }: Pick<FleetOptions, 'database'>,
  who: 'person' | 'worker' = 'person',
): ReturnType<typeof findAddress> {
  return findAddress(database, process.env, homeFolder(process.env, process.platform), who);
}

/** Gives the exit code, or what is to be shown. */
type FleetAction<T> = (database: Database, address: Address) => Promise<T | number>;

/** An error that the database explains is told as such. */
export async function withDatabase<T = never>(
  options: Pick<FleetOptions, 'database'>,
  act: FleetAction<T>,
  queryMs?: number,
): Promise<T | number> {
  const address = addressOf(options);
  if (!address.ok) return failFor(address, EXIT.usage);
  const database = await openDatabase(address, queryMs);
  try {
    return await act(database, address);
  } catch (error) {
    const refusal = error instanceof UnfitRecord ? error.refusal : explainDatabaseError(error, address);
    if (refusal === null) throw error;
    return failFor(refusal);
  } finally {
    await database.close();
  }
}

/** The same, for a fleet that is there. */
export function withFleet<T = never>(
  options: Pick<FleetOptions, 'database'>,
  act: FleetAction<T>,
): Promise<T | number> {
  return withDatabase(options, async (database, address) => {
    const refusal = await refuseSchema(database);
    return refusal === null ? act(database, address) : failFor(refusal);
  });
}

export type FleetLoopOptions = FleetOptions & { readonly id: string };

/** The same, for one loop: by its id, the end of its id, or its name. */
export function withFleetLoop<T = never>(
  { id: wanted, database: url }: Pick<FleetLoopOptions, 'id' | 'database'>,
  act: (id: string, database: Database, address: Address) => Promise<T | number>,
): Promise<T | number> {
  return withFleet({ database: url }, async (database, address) => {
    const found = await findLoop(database, wanted);
    return found.ok ? act(found.id, database, address) : failFor(found);
  });
}

/**
 * A connection that stays open: it receives the NOTIFY messages of the fleet and carries heartbeats, which
 * must not wait behind other queries. A lost connection is opened again; messages sent meanwhile are lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { parseAs } from '#base/shape.ts';
import { transact, type Sql } from './transact.ts';
import { CHANNEL, fleetWord, type FleetWord } from './words.ts';

const RECONNECT_MS = 1_000;

export interface DatabaseLine {
  /** All of it or nothing. It throws what `act` throws, or why the connection could not be made. */
  readonly transaction: <T>(act: (sql: Sql) => Promise<T>) => Promise<T>;
  readonly close: () => void;
}

export function openLine(make: () => Client, heard: (word: FleetWord) => void): DatabaseLine {
  let isOver = false;
  const dropped = new WeakSet<Client>();
  const connect = async (): Promise<Client> => {
    if (isOver) throw new Error('the connection was closed');
    const client = make();
    const drop = () => dropClient(client);
    client.on('error', drop);
    client.on('end', drop);
    client.on('notification', ({ payload }) => {
      const word = parseAs(fleetWord, payload ?? null);
      if (word !== null) heard(word);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      return client;
    } catch (error) {
      drop();
      throw error;
    }
  };
  const dropClient = (client: Client): void => {
    if (dropped.has(client)) return;
    dropped.add(client);
    client.end().catch(() => undefined);
    if (!isOver) connecting = begin(RECONNECT_MS);
  };
  const begin = (inMs: number): Promise<Client> => {
    const begun = sleep(inMs, undefined, { ref: false }).then(connect);
    begun.catch(() => undefined);
    return begun;
  };
  let connecting = begin(0);
  return {
    transaction: async (act) => {
      const client = await connecting;
      try {
        return await transact(client, act);
      } catch (error) {
        dropClient(client);
        throw error;
      }
    },
    close: () => {
      isOver = true;
      void connecting.then(dropClient, () => undefined);
    },
  };
}

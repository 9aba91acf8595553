/** Loads what one loop's view shows, and again whenever the loop has changed. */
import { effect, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { get, RefusedCall } from './api.ts';
import { cards } from './state.ts';

export interface LoadState<T> {
  readonly value: T | null;
  readonly error: RefusedCall | null;
}

/** `load` gets what was loaded before. It is called again when the card of the loop changes. */
export function useLoaded<T>(id: string, load: (before: T | null, signal: AbortSignal) => Promise<T>) {
  const [loaded] = useState(() => signal<LoadState<T>>({ value: null, error: null }));
  useEffect(() => {
    const aborter = new AbortController();
    let isLoading = false;
    let isStale = false;
    const run = async (): Promise<void> => {
      if (isLoading) {
        isStale = true;
        return;
      }
      isLoading = true;
      try {
        do {
          isStale = false;
          loaded.value = { value: await load(loaded.peek().value, aborter.signal), error: null };
        } while (isStale);
      } catch (error) {
        if (error instanceof RefusedCall) loaded.value = { value: loaded.peek().value, error };
        else if (!aborter.signal.aborted) throw error;
      } finally {
        isLoading = false;
      }
    };
    let seen = '';
    const stop = effect(() => {
      const card = cards.value.get(id);
      const stamp = `${card?.updatedAt} ${card?.status} ${card?.iteration} ${card?.requests.length}`;
      if (stamp === seen) return;
      seen = stamp;
      void run();
    });
    return () => {
      aborter.abort();
      stop();
    };
  }, [id]);
  return loaded;
}

/** Loads once: what does not change, or is looked at for a moment. No loop has this id. */
export function useOnce<T>(path: string): LoadState<T> {
  return useLoaded<T>('', load(path)).value;
}

export function load<T>(path: string): (before: T | null, signal: AbortSignal) => Promise<T> {
  return (_, signal) => get<T>(path, signal);
}

/**
 * `dacapo/stop-hooks`: one registry for the whole process, with its functions as the module's own, for programs that keep
 * their hooks in one place. Whoever wants several makes them with `createRegistry`.
 */
import { createRegistry } from './registry.ts';

export const {
  registerStopHook,
  createDefaultHook,
  createValidationHook,
  createPromiseHook,
  unregister,
  enable,
  disable,
  get,
  list,
  clear,
  evaluate,
  metrics,
  confirm,
  save,
  restore,
} = createRegistry();

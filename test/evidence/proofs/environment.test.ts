/** The names of variables, by which two environments are compared. */
import { expect, test } from 'vitest';
import { byTheirNames } from '#evidence/proofs/environment.ts';

test('on Windows one variable has one name, however a shell wrote it', () => {
  const env = { Path: 'C:\\bin', npm_config_cache: 'C:\\cache' };
  expect(byTheirNames(env, 'win32')).toEqual({ PATH: 'C:\\bin', NPM_CONFIG_CACHE: 'C:\\cache' });
  expect(byTheirNames(env, 'linux')).toBe(env);
});

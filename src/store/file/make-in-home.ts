/**
 * Makes a folder of the state folder. The error of the system names where it failed, which may be any folder
 * above.
 */
import { codeOf } from '#base/shape.ts';
import { makePrivateFolder } from './home.ts';

export function makeInHome(folder: string, home: string): void {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    if (error instanceof Error)
      error.message =
        `the state folder ${home} can't be made (${codeOf(error)}); DACAPO_HOME can ` + 'name another';
    throw error;
  }
}

/** Everything that the library can do with loops, as one module that `index.ts` loads at the first call. */
export { cancelLoop, listLoops, loopStatus, pushByName, startLoop } from './loops.ts';
export { claimDone, passEnded, sayBlocked, takeNote } from './say.ts';
export { followJournal, runValidationRules, seePromises } from './watch.ts';

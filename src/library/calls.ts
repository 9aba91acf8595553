/** Everything that the library can do with loops, as one module that `index.ts` loads at the first call. */
export { cancelLoop, listLoops, loopStatus, startLoop } from './loops.ts';
export { pushByName } from './push.ts';
export { claimDone, passEnded, sayBlocked, takeNote } from './say.ts';
export { followJournal, runValidationRules, seePromises } from './watch.ts';

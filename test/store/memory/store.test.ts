import { emptyJournal, memoryJournal, memoryStore } from '#store/memory/store.ts';
import { temporaryFolder } from '../folder.ts';
import { journalConformance } from '../conformance.ts';
import { storeConformance } from '../store-conformance.ts';

journalConformance('a list in memory', () => {
  const record = emptyJournal();
  return { open: () => memoryJournal(record), end: () => undefined };
});

storeConformance('memory', () => {
  const store = memoryStore(null, temporaryFolder);
  return { open: () => store, end: () => undefined };
});

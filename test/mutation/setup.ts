/** A mutant is killed by the first counterexample; looking for the smallest one takes minutes in all. */
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });

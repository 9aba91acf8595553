/** The flags that change a loop that has begun: new limits, and other gates. */
import type { FlagTable } from './flag.ts';
import * as values from './values.ts';

/** Limits count from the beginning of the loop. */
export const LIMIT_FLAGS = {
  '--max-iterations N|unlimited': {
    field: 'iterations',
    read: values.readMaxIterations,
    help: 'a new limit of iterations; like the next three, it counts from the start of the loop',
  },
  '--timeout DURATION': {
    field: 'timeMs',
    read: values.readDuration,
    help: 'a new limit of working time: 90s, 15m, 2h',
  },
  '--max-cost USD': { field: 'costUsd', read: values.readCost, help: 'a new limit of cost: 5, 2.50' },
  '--max-tokens N': { field: 'tokens', read: values.readTokens, help: 'a new limit of tokens: 500k, 2m' },
} as const satisfies FlagTable;

export const AMEND_FLAGS = {
  '--check CMD': {
    field: 'checks',
    repeatable: true,
    read: values.readCheck,
    help: 'add a check; repeatable, like the next six',
  },
  '--remove-check CMD': {
    field: 'removeChecks',
    repeatable: true,
    read: values.readCheck,
    help: 'remove a check: the command exactly as it was given',
  },
  '--measure NAME=CMD': {
    field: 'measures',
    repeatable: true,
    read: values.readMeasure,
    help: 'add a measure, or give an existing one another command',
  },
  '--remove-measure NAME': {
    field: 'removeMeasures',
    repeatable: true,
    read: values.readName,
    help: 'remove a measure with its goals',
  },
  '--keep NAME': {
    repeatable: true,
    read: values.readName,
    help: 'set a goal: not below its first value. Replaces other goals of this measure',
  },
  '--target NAME<=NUMBER': {
    field: 'targets',
    repeatable: true,
    read: values.readTarget,
    help: 'set a goal: reach this number. Replaces other goals of this measure',
  },
  '--remove-goal NAME': {
    field: 'removeGoals',
    repeatable: true,
    read: values.readName,
    help: 'remove the goals of a measure, but keep recording it',
  },
  '--promise TEXT': { read: values.readPromiseText, help: 'the promise that the agent has to give' },
  ...LIMIT_FLAGS,
} as const satisfies FlagTable;

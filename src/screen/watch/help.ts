/** The keys of `dacapo watch`. */
import type { Viewport } from '../lines.ts';
import { cell, part, rowOf } from './row.ts';

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['↑ ↓  j k', 'choose a loop, or scroll'],
  ['PgUp PgDn', 'a page at a time; Home and End go to either end'],
  ['Enter', 'open the loop'],
  ['Tab  1 … 4', 'its story, its journal, its agent at work, its last proof'],
  ['Esc', 'back to the list'],
  ['/', 'find loops by task, id, status or project'],
  ['A', 'all projects, or this one'],
  ['', ''],
  ['a', 'approve what the loop asks for, or answer its question'],
  ['x', 'reject it, with a word for the agent if you like'],
  ['s', 'steer: tell the agent something for its next iteration'],
  ['p  r', 'pause, resume'],
  ['c', 'cancel; you are asked first'],
  ['', ''],
  ['?', 'this help'],
  ['q', 'quit. The loops go on'],
];

export function helpRows(viewport: Viewport): string[] {
  return [
    '',
    ...KEYS.map(([keys, does]) => rowOf([part('   '), cell(keys, 12, 'cyan'), part(does)], viewport)),
    '',
    rowOf([part('   any key closes this', 'dim')], viewport),
  ];
}

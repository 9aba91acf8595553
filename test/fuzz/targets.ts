/**
 * Everything that reads what others wrote. None of it may throw or take long, and what it says has to hold.
 * The hook program, the servers and the guard have fuzzers of their own.
 */
import { AGENT } from './targets/agent.ts';
import { HOSTS } from './targets/hosts.ts';
import { INPUT } from './targets/input.ts';
import { PROJECT } from './targets/project.ts';
import { RECORD } from './targets/record.ts';

export const TARGETS = [...INPUT, ...PROJECT, ...AGENT, ...HOSTS, ...RECORD];

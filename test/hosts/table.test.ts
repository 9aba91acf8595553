/**
 * The tables of hosts: every host is in both, runs the suites, and is chosen by the name in a loop's record.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allAdapters, chosenHost, hostOf, sessionOf } from '#hosts/tables/adapters.ts';
import { HOST_NAMES } from '#hosts/tables/names.ts';
import { PROTOCOLS } from '#hosts/tables/protocols.ts';
import { callerOf } from '#hosts/tables/registry.ts';
import { OTHER_HOOK_HOSTS } from '#hosts/tables/hook-hosts.ts';
import { ruleTools } from '#hosts/tables/rules.ts';

/** All tests of one host, as text. */
function testsOf(name: string): string {
  const folder = join(import.meta.dirname, name);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

describe.each(allAdapters().map((adapter) => [adapter.name, adapter] as const))('%s', (name, adapter) => {
  it('is the host of its loops, and its hook is known by its payload alone', () => {
    expect(hostOf({ host: name })).toBe(adapter);
    expect(adapter).toMatchObject({ name, headless: { name }, hook: { name } });
  });

  it('runs the suite of hosts and the suite of headless hosts', () => {
    expect(testsOf(name)).toMatch(
      /hostConformance\([^]*headlessConformance\(|headlessConformance\([^]*hostConformance\(/,
    );
  });

  it('sees calls of a shell, of writers and of servers, and none of a tool that nobody has', () => {
    const { familyOf, seen } = ruleTools(name);
    expect(familyOf('no such tool')).toBeNull();
    expect(seen()).not.toBe('');
  });
});

it('a host by a protocol runs the suite of hosts, and is never taken for a caller', () => {
  for (const host of PROTOCOLS) {
    expect(testsOf(host.name)).toContain('hostConformance(');
    expect(host.recognises({}, {})).toBe(false);
  }
});

it('names are unique, and each host of the command line calls our hook', () => {
  const names = [...allAdapters(), ...PROTOCOLS].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(allAdapters().map(({ name }) => name)).toEqual(HOST_NAMES.map(({ name }) => name));
  expect(
    allAdapters()
      .slice(1)
      .map(({ hook }) => hook),
  ).toEqual(expect.arrayContaining([...OTHER_HOOK_HOSTS]));
});

it('a loop of a host without a program gets the chosen one', () => {
  expect(hostOf({ host: 'exit-code' })).toBe(chosenHost());
  expect(sessionOf({})).toBeNull();
  expect(callerOf({ session_id: 's1' }, { GROK_HOOK_EVENT: 'Stop' })).toBe('GROK_HOOK_EVENT');
});

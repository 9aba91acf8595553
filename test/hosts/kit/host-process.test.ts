// The process of a host: the nearest one above our hook that is no shell.
import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ancestorAt, findHostProcess, readPs } from '#hosts/kit/host-process.ts';

type Row = readonly [pid: number, name: string, parent: number];

const among = (...rows: Row[]) => {
  const found = new Map(rows.map(([pid, name, parent]) => [pid, { name, parent }]));
  return (pid: number) => found.get(pid) ?? null;
};

describe('findHostProcess', () => {
  it('is the parent itself', () => {
    expect(findHostProcess(30, among([30, 'node', 20]))).toBe(30);
  });

  it('leaves out the shells between the host and the hook', () => {
    const rows = among([30, 'sh', 20], [20, 'bash', 10], [10, 'gemini', 5], [5, 'bash', 1]);
    expect(findHostProcess(30, rows)).toBe(10);
  });

  it.each<[string, Row[]]>([
    ['a parent that is gone', []],
    ['the first process of the system', [[1, 'init', 0]]],
    [
      'an orphan below a shell',
      [
        [1, 'systemd', 0],
        [30, 'sh', 1],
      ],
    ],
    ['more shells than any host starts', Array.from({ length: 9 }, (_, at): Row => [30 - at, 'sh', 29 - at])],
  ])('is not known for %s', (_, rows) => {
    expect(findHostProcess(rows.at(-1)?.[0] ?? 30, among(...rows))).toBeNull();
  });

  // The way of macOS, which has no /proc, works on Linux too.
  it.runIf(process.platform === 'linux' || process.platform === 'darwin').each([process.platform, 'darwin'])(
    'is this one above a real shell, looked for as on %s',
    (platform) => {
      const shell = spawn('sh', ['-c', 'sleep 30; :'], { stdio: 'ignore' });
      onTestFinished(() => void shell.kill('SIGKILL'));
      expect(findHostProcess(shell.pid, ancestorAt(platform))).toBe(process.pid);
    },
  );

  it.each([
    ['  501 /bin/zsh\n', 501, 'zsh'],
    ['    1 -zsh\n', 1, 'zsh'],
    ['12345 /Applications/My Agent.app/Contents/MacOS/agent \n', 12345, 'agent'],
    [' 4021 node\n', 4021, 'node'],
  ])('the ps of macOS tells %j: with the path of the program', (line, parent, name) => {
    expect(readPs(line)).toEqual({ parent, name });
  });

  it('a process that is gone has no line', () => {
    expect(readPs('')).toBeNull();
  });
});

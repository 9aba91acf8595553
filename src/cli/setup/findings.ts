/** Prints findings: a mark, what was found, and below it what to do. */
import type { Finding } from '../../hosts/headless.ts';
import { paint } from '../terminal/terminal.ts';

const MARKS = { ok: paint.green('✓'), warning: paint.yellow('!'), problem: paint.red('✗') };

export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ level, says, remedy }) => [
    `${MARKS[level]} ${says}`,
    ...(remedy === null ? [] : [`  ${paint.dim('→')} ${remedy}`]),
  ]);
}

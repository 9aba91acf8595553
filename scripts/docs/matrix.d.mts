import type { HostAdapter } from '../../src/hosts/port/command-line.ts';

export function matrixOf(adapters: readonly HostAdapter[], tableOf: (host: string) => unknown): string;
export function withMatrix(page: string, matrix: string): string;

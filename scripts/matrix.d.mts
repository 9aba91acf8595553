import type { HostAdapter } from '../src/hosts/command-line.ts';

export function matrixOf(adapters: readonly HostAdapter[]): string;
export function withMatrix(page: string, matrix: string): string;

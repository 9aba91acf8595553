/** The file that a worker starts. */
await import('./main.ts');

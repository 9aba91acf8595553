/** The file that a worker starts. */
await import('#fleet/driven/main.ts');

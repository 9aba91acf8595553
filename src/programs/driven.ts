/** The file that a worker starts. */
void import('#fleet/driven/main.ts');

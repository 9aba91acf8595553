// npm calls this wherever it installs a folder: a clone, which is built then, but also an installed package
// that somebody links (`npm link dacapo`), which has no sources and is built already.
import { existsSync } from 'node:fs';

const setup = new URL('../scripts/setup.mjs', import.meta.url);
if (existsSync(setup)) await import(setup.href);

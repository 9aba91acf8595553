#!/usr/bin/env node
// The command that npm links. It is committed, and only loads the built program: npm links nothing, without a
// word, where a package lacks its command, and where scripts are turned off (`ignore-scripts`) nobody has
// built it. This runs on any Node.
'use strict';
const fs = require('fs');
const path = require('path');

const root = path.dirname(__dirname);
const program = path.join(root, 'dist', 'cli.cjs');
if (fs.existsSync(program)) require(program);
else {
  const setup = path.join(root, 'scripts', 'setup.mjs');
  console.error('error: this clone of Da Capo is not built: npm ran no scripts when it installed it');
  console.error(`next: node "${setup}" builds it; then run the command again`);
  // A hook fails open.
  process.exitCode = process.argv[2] === 'hook' ? 0 : 1;
}

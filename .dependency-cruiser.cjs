// The arrows of the design: core imports nothing; journal, views, proofs, hosts import core; hearing imports those;
// what a person or a host starts is on top. test/arrows.test.ts shows that each rule bites.

const middle = ['journal', 'views', 'proofs', 'hosts'];
const below = ['core', ...middle, 'hearing'];

// What each folder on top may import beside what is below it.
const top = {
  hook: [],
  drivers: [],
  registry: [],
  mcp: [],
  ui: [],
  demo: [],
  cli: ['demo', 'drivers', 'registry'],
};

/** `folder` may import itself and `allowed`, nothing else of src. */
const arrow = (folder, allowed) => ({
  name: `${folder}-arrow`,
  severity: 'error',
  comment: `src/${folder} imports only ${['itself', ...allowed].join(', ')}`,
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
    {
      name: 'core-is-pure',
      severity: 'error',
      comment: 'src/core imports nothing from outside: no package, no node: module',
      from: { path: '^src/core/' },
      to: { pathNot: '^src/', couldNotResolve: false },
    },
    arrow('core', []),
    ...middle.map((folder) => arrow(folder, ['core'])),
    arrow('hearing', ['core', ...middle]),
    ...Object.entries(top).map(([folder, allowed]) => arrow(folder, [...below, ...allowed])),
    {
      name: 'cli-is-on-top',
      severity: 'error',
      comment: 'nothing imports the command line',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'known-folder',
      severity: 'error',
      comment: 'a new folder in src needs an arrow here first',
      from: { path: '^src/', pathNot: `^src/(index\\.ts$|(${[...below, ...Object.keys(top)].join('|')})/)` },
      to: {},
    },
    {
      name: 'hook-without-packages',
      severity: 'error',
      // That markdown.ts is reached by import() only is held by the build: it refuses a hook with a package inside.
      comment: 'the hook and all below run with nothing but Node; the Markdown parser is a file of its own',
      from: { path: `^src/(${['hook', ...below].join('|')})/`, pathNot: '^src/proofs/markdown\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-optional', 'npm-peer', 'npm-unknown'] },
    },
    {
      name: 'src-alone',
      severity: 'error',
      comment: 'what ships imports nothing from tests, scripts or benchmarks',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|bench|dist|plugin)/' },
    },
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'a module that imports nothing and that nothing imports is forgotten',
      from: { orphan: true, path: '^src/', pathNot: '^src/(index|[a-z]+/(main|runner))\\.ts$' },
      to: {},
    },
  ],
  options: {
    // TypeScript 7 has no API for tools; swc reads type imports as well.
    parser: 'swc',
    doNotFollow: 'node_modules',
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
    },
  },
};

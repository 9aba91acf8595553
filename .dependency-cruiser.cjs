// The arrows of the house: which room may import which. The order is the order of the rooms, from the law upwards.
// test/arrows.test.ts shows that each rule bites.

const pure = ['core', 'text', 'flags'];

// Each room, and the rooms that it may import.
const rooms = {
  core: [],
  text: ['core'],
  flags: ['core'],
  process: ['core'],
  files: ['core'],
  store: ['core', 'files'],
  lists: ['core', 'flags', 'files', 'store'],
  hosts: ['core', 'text', 'process', 'files'],
  git: ['core', 'process', 'files'],
  views: ['core', 'text', 'process', 'files', 'lists', 'store', 'hosts', 'git'],
  proofs: ['core', 'text', 'flags', 'process', 'files', 'lists', 'store', 'git', 'views'],
  guard: ['core', 'flags', 'files', 'lists', 'store', 'hosts', 'views', 'proofs'],
  sinks: ['core', 'text', 'flags', 'process', 'files', 'store'],
};
rooms.operations = Object.keys(rooms).filter((room) => room !== 'sinks');
rooms.hearing = Object.keys(rooms);
rooms.claims = Object.keys(rooms);
const below = Object.keys(rooms);

// What a person or a host starts. Each may import everything below, and the rooms named here.
const top = {
  hook: [],
  fresh: [],
  review: ['fresh'],
  'stop-hooks': [],
  demo: [],
  live: ['fresh'],
  screen: ['fresh', 'live'],
  library: [],
  tasks: ['stop-hooks'],
  mcp: ['stop-hooks', 'live', 'tasks'],
  ui: ['fresh', 'live', 'screen'],
  fleet: ['fresh'],
  cli: ['fresh', 'fleet', 'stop-hooks', 'demo', 'live', 'screen', 'mcp', 'ui'],
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
    ...pure.map((room) => ({
      name: `${room}-is-pure`,
      severity: 'error',
      comment: `src/${room} imports nothing from outside: no package, no node: module`,
      from: { path: `^src/${room}/` },
      to: { pathNot: '^src/', couldNotResolve: false },
    })),
    ...Object.entries(rooms).map(([room, allowed]) => arrow(room, allowed)),
    ...Object.entries(top).map(([room, allowed]) => arrow(room, [...below, ...allowed])),
    {
      name: 'cli-is-on-top',
      severity: 'error',
      comment: 'nothing imports the command line',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'store-port',
      severity: 'error',
      comment: 'the rooms know the port of the store; only what starts a process chooses an adapter',
      from: {
        path: '^src/',
        pathNot: '^src/((store|hook|cli|demo|fleet)/|((mcp|review)/main|sinks/process-runtime)\\.ts$)',
      },
      to: { path: '^src/store/(file|memory)/' },
    },
    {
      name: 'host-port',
      severity: 'error',
      comment: 'the rooms know the tables of hosts (registry, adapters, rules, names), and no adapter',
      from: { path: '^src/', pathNot: '^src/hosts/' },
      to: { path: '^src/hosts/[^/]+/' },
    },
    {
      name: 'known-folder',
      severity: 'error',
      comment: 'a new folder in src needs an arrow here first',
      from: {
        path: '^src/',
        pathNot: `^src/(index\\.ts$|(${[...below, ...Object.keys(top)].join('|')})/)`,
      },
      to: {},
    },
    {
      name: 'hook-without-packages',
      severity: 'error',
      // That markdown.ts is reached by import() only is held by the build: it refuses a hook with a package inside.
      comment: 'the hook and all below run with nothing but Node; the Markdown parser is a file of its own',
      from: {
        path: `^src/(${['hook', ...below].join('|')})/`,
        pathNot: '^src/proofs/promise/markdown\\.ts$',
      },
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
      from: {
        orphan: true,
        path: '^src/',
        pathNot: '^src/(index|[a-z]+/(main|runner))\\.ts$',
      },
      to: {},
    },
  ],
  options: {
    // TypeScript 7 has no API for tools; swc reads type imports as well.
    parser: 'swc',
    // The parser knows no JSX. The linter keeps the page to itself, see .oxlintrc.json.
    exclude: '^src/ui/page/',
    doNotFollow: 'node_modules',
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
    },
  },
};

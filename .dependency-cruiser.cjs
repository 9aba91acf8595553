// The arrows of the house. A floor imports only floors above it in this table, and only through their doors.
// test/arrows.test.ts shows that each rule bites, ARCHITECTURE.md what each floor is for.

/** Each floor with its doors: what other floors may import of it, as patterns of paths below the floor. */
const floors = {
  base: ['.'],
  law: ['[^/]+$', '(proof|record|waiting|words)/', 'fold/(index|frames)\\.ts$'],
  telling: ['.'],
  input: ['.'],
  // Only what starts a process chooses an adapter: see `store-adapters` below.
  store: ['.'],
  // What the program `acp` runs.
  hosts: ['(port|tables|project|tools|acp)/', 'prices/prices\\.ts$'],
  evidence: [
    '(guard|lists|proofs|views)/[^/]+$',
    'git/([^/]+|marks/(diff|mark)\\.ts|(points|worktree)/[^/]+)$',
    'proofs/(ground|promise|stop-hooks)/',
    'views/(markdown|progress)/',
  ],
  engine: [
    '[^/]+$',
    '(agent|asked|begin|claims|driver|look|notices|requests|review|sets|steer|trust)/[^/]+$',
    'driver/pass/begin-pass\\.ts$',
    'hearing/(hear|stop)\\.ts$',
    'notices/channels/send\\.ts$',
  ],
  fleet: [
    '[^/]+$',
    'codec/rows\\.ts$',
    '(database|look)/[^/]+$',
    'driven/main\\.ts$',
    'schema/(init|lease|version)\\.ts$',
    'worker/worker\\.ts$',
  ],
  surfaces: ['cli/(hook|program)\\.ts$', 'mcp/stdio\\.ts$', 'stop-hooks/'],
  programs: [],
};
const names = Object.keys(floors);

/** The rooms of a floor that has an order inside: a room imports only rooms before it. Rooms in one line are peers. */
const rooms = {
  evidence: ['git', 'lists', 'views', 'proofs', 'guard'],
  engine: [
    'trust|notices|look',
    'requests|asked',
    'begin|steer',
    'agent|sets',
    'hearing',
    'claims',
    'driver',
    'review',
  ],
  surfaces: ['stop-hooks|screen|demo', 'tasks|library|page', 'mcp', 'cli'],
};

const pure = ['law', 'telling', 'input'];

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

const arrows = names.map((floor, n) => {
  const above = names.slice(0, n + 1);
  return rule(
    `${floor}-arrow`,
    `src/${floor} imports only ${above.join(', ')}`,
    { path: `^src/${floor}/` },
    { path: '^src/', pathNot: `^src/(${above.join('|')})/` },
  );
});

const doors = Object.entries(floors).map(([floor, open]) =>
  rule(
    `${floor}-door`,
    `other floors import of src/${floor} only what its doors name`,
    { path: '^src/', pathNot: `^src/${floor}/` },
    {
      path: `^src/${floor}/`,
      ...(open.length > 0 && { pathNot: open.map((door) => `^src/${floor}/${door}`).join('|') }),
    },
  ),
);

const inside = Object.entries(rooms).flatMap(([floor, order]) =>
  order.map((room, n) =>
    rule(
      `${floor}-rooms`,
      `in src/${floor}, ${room} imports only itself and ${order.slice(0, n).join(', ') || 'no other room'}`,
      { path: `^src/${floor}/(${room})/` },
      { path: `^src/${floor}/[^/]+/`, pathNot: `^src/${floor}/(${order.slice(0, n + 1).join('|')})/` },
    ),
  ),
);

module.exports = {
  forbidden: [
    ...pure.map((floor) =>
      rule(
        `${floor}-is-pure`,
        `src/${floor} imports nothing from outside: no package, no node: module`,
        { path: `^src/${floor}/` },
        { pathNot: '^src/', couldNotResolve: false },
      ),
    ),
    ...arrows,
    ...doors,
    ...inside,
    rule(
      'pure-base',
      'what the pure floors use of base is pure as well',
      { path: `^src/(${pure.join('|')})/` },
      { path: '^src/base/(files|process)/' },
    ),
    rule(
      'store-adapters',
      'the floors know the port of the store; only what starts a process chooses an adapter',
      {
        path: '^src/',
        pathNot: '^src/((store|fleet|programs|surfaces/(cli|demo))/|engine/process-runtime\\.ts$)',
      },
      { path: '^src/store/(file|memory)/' },
    ),
    rule(
      'known-floor',
      'there are eleven floors; a new folder in src needs a place in ARCHITECTURE.md first',
      { path: '^src/', pathNot: `^src/(${names.join('|')})/` },
      {},
    ),
    rule(
      'hook-without-packages',
      // That markdown.ts is reached by import() only is held by the build: it refuses a hook with a package inside.
      'the hook and all below run with nothing but Node; the Markdown parser is a file of its own',
      {
        path: `^src/(${names.slice(0, names.indexOf('fleet')).join('|')}|programs)/`,
        pathNot: '^src/evidence/proofs/promise/markdown\\.ts$',
      },
      { dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-optional', 'npm-peer', 'npm-unknown'] },
    ),
    rule(
      'src-alone',
      'what ships imports nothing from tests, scripts or benchmarks',
      { path: '^src/' },
      { path: '^(test|scripts|bench|dist|plugin)/' },
    ),
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    rule(
      'no-orphans',
      'a module that imports nothing and that nothing imports is forgotten',
      { orphan: true, path: '^src/', pathNot: '^src/programs/' },
      {},
    ),
  ],
  options: {
    // TypeScript 7 has no API for tools; swc reads type imports as well.
    parser: 'swc',
    // The parser knows no JSX. The linter keeps the page to itself, see .oxlintrc.json.
    exclude: '^src/surfaces/page/browser/',
    doNotFollow: 'node_modules',
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
    },
  },
};

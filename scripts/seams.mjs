// The seams of the plugin: which modules stand in which file beside the hook, and how the files call each other.

import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// The seams: files beside the hook that its programs load only when they call into them, and the modules in each.
// The source imports all of these as usual; here a function that is imported across a seam becomes a function that
// requires the file when it is called. Only functions cross a seam: the bundler refuses anything else.
export const SEAMS = {
  // What the stop of a live loop runs. Most stops belong to no loop, and the hook should not compile this for them.
  'stop.cjs': [
    'src/hearing/stop.ts',
    'src/hosts/claude-code/hook/transcript.ts',
    'src/store/file/open-loop.ts',
  ],
  'rest.cjs': [
    'src/hearing/commands/command.ts',
    'src/hearing/prompt.ts',
    'src/hearing/session.ts',
    'src/hearing/ending.ts',
    'src/hearing/hand-written.ts',
    'src/operations/begin/bind.ts',
    'src/views/registry.ts',
    'src/views/progress/hook-log.ts',
  ],
  'prove.cjs': [
    'src/core/waiting/hold.ts',
    'src/core/news.ts',
    'src/core/words/seldom.ts',
    'src/hearing/say-hold.ts',
    'src/hearing/take-proofs.ts',
    'src/operations/trust/environment.ts',
    'src/text/agent/open-gates.ts',
    'src/text/seldom.ts',
  ],
  'nesting.cjs': [
    'src/core/nesting.ts',
    'src/guard/removed-items.ts',
    'src/hearing/read-items.ts',
    'src/text/nesting.ts',
  ],
  'guard.cjs': [
    'src/hearing/tool.ts',
    'src/hosts/tools.ts',
    'src/hosts/host-ground.ts',
    'src/hosts/claude-code/hook/host-files.ts',
  ],
  'others.cjs': ['src/hosts/others.ts'],
  // Only for a stop that would complete a loop with checks.
  'ground.cjs': ['src/proofs/ground/look.ts'],
  'review.cjs': ['src/proofs/review.ts', 'src/git/marks/diff.ts'],
  // Only for loops in which calls need an approval.
  'approval.cjs': ['src/hearing/approval.ts'],
  'requests.cjs': ['src/operations/requests/ask.ts', 'src/text/requests.ts'],
  'stop-hooks.cjs': [
    'src/proofs/stop-hooks/ask.ts',
    'src/proofs/stop-hooks/config-trust.ts',
    'src/proofs/stop-hooks/configure.ts',
  ],
  // Only for a config with code of its own.
  'hook-loading.cjs': ['src/stop-hooks/loading/hook-loading.ts'],
  'sinks.cjs': ['src/sinks/tell-sinks.ts'],
  'notify.cjs': ['src/sinks/notify.ts'],
  'markdown.cjs': ['src/proofs/promise/said.ts'],
  // A stop whose cache is fresh reads no event, and folds only its own.
  'events.cjs': [
    'src/core/record/events.ts',
    'src/core/fold/frames.ts',
    'src/core/fold/lifecycle.ts',
    'src/core/fold/requests.ts',
  ],
  // A common stop opens one loop and looks up one session.
  'store.cjs': [
    'src/store/file/keep-compiled.ts',
    'src/store/file/make-in-home.ts',
    'src/store/file/rest.ts',
    'src/store/file/loop-rest.ts',
  ],
  'host.cjs': [
    'src/hosts/claude-code/hook/sessions.ts',
    'src/hosts/claude-code/hook/cap.ts',
    'src/hosts/claude-code/hook/rare-events.ts',
    'src/hosts/claude-code/hook/usage.ts',
  ],
  // The server answers its first request without any of this.
  'mcp-work.cjs': [
    'src/claims/claim.ts',
    'src/mcp/read-loop.ts',
    'src/operations/agent/say.ts',
    'src/operations/agent/start-for-tool.ts',
    'src/stop-hooks/ask-data.ts',
    'src/tasks/checkpoints.ts',
    'src/tasks/hooks.ts',
    'src/tasks/judge-run.ts',
    'src/tasks/start-run.ts',
    'src/tasks/task.ts',
  ],
};
const SIBLING_OF = new Map(
  Object.entries(SEAMS).flatMap(([sibling, modules]) => modules.map((module) => [module, sibling])),
);

/** In the file `out`, replaces functions of another file of the plugin by calls into that file. */
export const seams = (out) => ({
  name: 'seams',
  setup(build) {
    build.onResolve({ filter: /^\./ }, (args) => {
      if (args.path === CALL) return { path: CALL, namespace: 'seam' };
      const module = slashes(relative(root, resolve(args.resolveDir, args.path)));
      const sibling = SIBLING_OF.get(module);
      const cuts = sibling && sibling !== out;
      return cuts ? { path: module, namespace: 'seam', pluginData: sibling } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'seam' }, ({ path, pluginData: sibling }) => ({
      contents: path === CALL ? CALLING : callsInto(path, sibling),
      loader: 'js',
    }));
  },
});

/** One function makes all the calls across seams: written out, each would cost the hook 20 bytes more. */
const CALL = './seam-call';
const CALLING = 'export const call = (file, name) => (...given) => require(file)[name](...given);';

function callsInto(module, sibling) {
  const calls = functionsOf(module).map(
    (name) => `export const ${name} = /* @__PURE__ */ call('./${sibling}', '${name}');`,
  );
  return [`import { call } from '${CALL}';`, ...calls].join('\n');
}

/**
 * Each module imports what it needs of Node, and esbuild writes every such import as a `require` of its own, and every
 * call as `(0, fs.open)()`. Here each of Node's modules is required once, and what is used of it gets a name.
 */
export function withEachImportOnce(text) {
  const required = /\b(import_\w+) = require\("(node:[\w/]+)"\)/g;
  const modules = new Map(Array.from(text.matchAll(required), ([, name, module]) => [name, module]));
  const used = new Map(Array.from(modules.values(), (module) => [module, new Set()]));
  const nameOf = (module, member) => `${module.replaceAll(/\W/g, '_')}_${member}`;
  const named = text.replaceAll(/\b(import_\w+)\.(\w+)/g, (all, name, member) => {
    const module = modules.get(name);
    used.get(module)?.add(member);
    return module === undefined ? all : nameOf(module, member);
  });
  const done = new Set();
  return named.replaceAll(required, (_, name, module) => {
    // The next pass drops what is not used.
    if (done.has(module)) return `${name} = 0`;
    done.add(module);
    const members = Array.from(used.get(module), (member) => `${member}: ${nameOf(module, member)}`);
    return `{ ${members.join(', ')} } = require("${module}")`;
  });
}

/** Assigned at once: esbuild's own exports would be a getter each, and 0.1 ms of every stop. */
export function exportsOf(modules) {
  const imports = modules.map((module) => `import { ${functionsOf(module).join(', ')} } from './${module}';`);
  return `${imports.join('\n')}\nmodule.exports = { ${modules.flatMap(functionsOf).join(', ')} };`;
}

function functionsOf(module) {
  const text = readFileSync(join(root, module), 'utf8');
  return Array.from(text.matchAll(/^export (?:async )?function (\w+)/gm), ([, name]) => name);
}

export function slashes(path) {
  return path.split(sep).join('/');
}

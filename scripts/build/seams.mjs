// The seams of the plugin: which modules stand in which file beside the hook, and how the files call each
// other.

import { readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { root } from '../root.mjs';

// The seams: files beside the hook that its programs load only when they call into them, and the modules in
// each. The source imports all of these as usual; here a function that is imported across a seam becomes a
// function that requires the file when it is called, and a constant is copied.
export const SEAMS = {
  // What the stop of a live loop runs. Most stops belong to no loop, and the hook should not compile this for
  // them.
  'stop.cjs': [
    'src/engine/hearing/stop.ts',
    'src/hosts/claude-code/hook/transcript.ts',
    'src/store/file/open-loop.ts',
  ],
  'rest.cjs': [
    'src/engine/hearing/commands/command.ts',
    'src/engine/hearing/prompt.ts',
    'src/engine/hearing/session.ts',
    'src/engine/hearing/ending.ts',
    'src/engine/hearing/hand-written.ts',
    'src/engine/begin/bind.ts',
    'src/evidence/views/registry.ts',
    'src/evidence/views/progress/hook-log.ts',
  ],
  'prove.cjs': [
    'src/law/waiting/hold.ts',
    'src/law/checks-missing.ts',
    'src/law/proof/news.ts',
    'src/law/words/check-outcomes.ts',
    'src/engine/hearing/say-hold.ts',
    'src/engine/hearing/proofs/look-around.ts',
    'src/engine/hearing/proofs/mark-tree.ts',
    'src/engine/hearing/proofs/take-proofs.ts',
    'src/evidence/proofs/environment.ts',
    'src/telling/agent/open-gates.ts',
    'src/telling/context-warnings.ts',
  ],
  'nesting.cjs': [
    'src/law/nesting.ts',
    'src/evidence/guard/removed-items.ts',
    'src/engine/hearing/read-items.ts',
    'src/telling/person/nesting.ts',
  ],
  'guard.cjs': [
    'src/engine/hearing/tool.ts',
    'src/evidence/guard/plain.ts',
    'src/evidence/guard/verbs.ts',
    'src/hosts/tools/tools.ts',
    'src/hosts/project/host-ground.ts',
    'src/hosts/claude-code/hook/host-files.ts',
  ],
  'others.cjs': ['src/hosts/tables/hook-hosts.ts'],
  // Only for a stop that would complete a loop with checks.
  'ground.cjs': [
    'src/evidence/proofs/ground/keep.ts',
    'src/evidence/proofs/ground/list.ts',
    'src/evidence/proofs/ground/look.ts',
    'src/evidence/proofs/ground/outside.ts',
  ],
  'review.cjs': ['src/evidence/proofs/review.ts', 'src/evidence/git/marks/diff.ts'],
  // Only for loops in which calls need an approval.
  'approval.cjs': ['src/engine/hearing/approval.ts'],
  // Only for loops with a list. Five files and the command line would each hold a copy.
  'lists.cjs': [
    'src/evidence/lists/features.ts',
    'src/evidence/lists/file.ts',
    'src/evidence/lists/items.ts',
  ],
  // Only where git is asked. Seven files would each hold a copy.
  'git.cjs': [
    'src/evidence/git/filters.ts',
    'src/evidence/git/git.ts',
    'src/evidence/git/lists.ts',
    'src/evidence/git/repository.ts',
  ],
  'requests.cjs': ['src/engine/requests/ask.ts', 'src/telling/person/requests.ts'],
  'stop-hooks.cjs': [
    'src/evidence/proofs/stop-hooks/ask.ts',
    'src/evidence/proofs/stop-hooks/config-trust.ts',
    'src/evidence/proofs/stop-hooks/configure.ts',
  ],
  // Only for a config with code of its own.
  'hook-loading.cjs': ['src/surfaces/stop-hooks/loading/hook-loading.ts'],
  'sinks.cjs': ['src/engine/notices/tell-sinks.ts'],
  'notify.cjs': ['src/engine/notices/notify.ts'],
  'markdown.cjs': ['src/evidence/proofs/promise/said.ts'],
  // A stop whose cache is fresh reads no event, and folds only its own.
  'events.cjs': [
    'src/law/record/events.ts',
    'src/law/fold/frames.ts',
    'src/law/fold/lifecycle.ts',
    'src/law/fold/requests.ts',
  ],
  // A common stop opens one loop and looks up one session.
  'store.cjs': [
    'src/store/file/keep-compiled.ts',
    'src/store/file/last-look.ts',
    'src/store/file/leftovers.ts',
    'src/store/file/rotate-log.ts',
    'src/store/file/listing.ts',
    'src/store/file/loops.ts',
    'src/store/file/home-records.ts',
    'src/store/file/task-logs.ts',
    'src/store/file/journal-reader.ts',
  ],
  'host.cjs': [
    'src/hosts/claude-code/hook/sessions.ts',
    'src/hosts/claude-code/hook/cap.ts',
    'src/hosts/claude-code/hook/session-events.ts',
    'src/hosts/claude-code/hook/usage.ts',
  ],
  // `dacapo hook --protocol`.
  'hook-protocol.cjs': ['src/surfaces/cli/hook-protocol.ts'],
  'mcp-server.cjs': ['src/surfaces/mcp/http.ts', 'src/surfaces/mcp/stdio.ts'],
  // The server answers its first request without any of this.
  'mcp-work.cjs': [
    'src/engine/claims/claim.ts',
    'src/surfaces/mcp/read-loop.ts',
    'src/engine/agent/say.ts',
    'src/engine/agent/start-for-tool.ts',
    'src/surfaces/stop-hooks/ask-data.ts',
    'src/surfaces/tasks/checkpoints.ts',
    'src/surfaces/tasks/hooks.ts',
    'src/surfaces/tasks/judge-run.ts',
    'src/surfaces/tasks/start-run.ts',
    'src/surfaces/tasks/task.ts',
  ],
};
const SIBLING_OF = new Map(
  Object.entries(SEAMS).flatMap(([sibling, modules]) => modules.map((module) => [module, sibling])),
);

/**
 * In the file `out`, replaces functions of other files of the plugin by calls into those files. `into`: only
 * of these, as seen from a program in another folder.
 */
export const seams = (out, { into = Object.keys(SEAMS), folder = '.' } = {}) => ({
  name: 'seams',
  setup(build) {
    build.onResolve({ filter: /^[.#]/ }, (args) => {
      if (args.path.startsWith(CALL)) return { path: args.path, namespace: 'seam' };
      if (args.path.endsWith(CONSTANTS))
        return {
          path: join(root, args.path.slice(0, -CONSTANTS.length)),
          suffix: CONSTANTS,
          // Dropped where nobody asks for a constant of this module.
          sideEffects: false,
        };
      const module = slashes(relative(root, moduleAt(args)));
      const sibling = SIBLING_OF.get(module);
      const cuts = sibling !== out && into.includes(sibling);
      return cuts ? { path: module, namespace: 'seam', pluginData: `${folder}/${sibling}` } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'seam' }, ({ path, pluginData: file }) => ({
      contents: path.startsWith(CALL) ? callingInto(path.slice(CALL.length)) : callsInto(path, file),
      loader: 'js',
    }));
  },
});

/** The file that an import of ours names: `#law/decide.ts` is in `src`, all else is where it is written. */
export function moduleAt({ path, resolveDir }) {
  return path.startsWith('#') ? join(root, 'src', path.slice(1)) : resolve(resolveDir, path);
}

/** Marks an import of a module for the sake of its constants alone. */
const CONSTANTS = '?constants';

/** One function makes all the calls into a file: written out, each would cost the hook 30 bytes more. */
const CALL = './seam-call/';
/** Not written out for each file: esbuild would look for a file that `require` names. */
const CALLING = 'export const into = (file) => (name) => (...given) => require(file)[name](...given);';

function callingInto(file) {
  if (file === '') return CALLING;
  return `import { into } from '${CALL}'; export const call = /* @__PURE__ */ into('${file}');`;
}

function callsInto(module, file) {
  const calls = functionsOf(module).map((name) => `export const ${name} = /* @__PURE__ */ call('${name}');`);
  const constants = namesIn(module, /^export const (\w+)/gm);
  const copied = constants.map((name) => `export { ${name} } from './${module}${CONSTANTS}';`);
  return [`import { call } from '${CALL}${file}';`, ...calls, ...copied].join('\n');
}

/**
 * Each module imports what it needs of Node, and esbuild writes every such import as a `require` of its own,
 * and every call as `(0, fs.open)()`. Here each of Node's modules is required once, and what is used of it
 * gets a name.
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

export function functionsOf(module) {
  return namesIn(module, /^export (?:async )?function (\w+)/gm);
}

function namesIn(module, pattern) {
  const text = readFileSync(join(root, module), 'utf8');
  return Array.from(text.matchAll(pattern), ([, name]) => name);
}

export function slashes(path) {
  return path.split(sep).join('/');
}

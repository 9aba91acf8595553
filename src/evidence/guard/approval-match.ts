/** Which rule a call needs an approval for. A rule about commands also fits inside a compound command. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fitsPattern, parseRule, STARTER, type ApprovalRule } from '#input/config/approval-rules.ts';
import { globs } from '#base/globs.ts';
import type { RuleFamily, ToolAct } from '#hosts/port/arrival.ts';
import { familyOfWord, type RuleTools } from '#hosts/tables/rules.ts';
import { seenFromProject } from '../proofs/protected.ts';
import { isBelow, type ProjectPlace } from './area.ts';
import { fitsCommand, mentionsCommand, spellingOf } from './fits-command.ts';
import { canRemove, canWrite, holdsCode, readShellText, type RawText, type Variables } from './raw-text.ts';
import { actsOfLine } from './shell-acts.ts';
import { awaitsTyping } from './typed-shell.ts';

// `--approve starter`: what can't be taken back, or costs money. Deleting outside the project is found by
// path.

const COMMANDS = {
  push: `git push, git send-pack, git subtree push, gh pr merge, gh release, gh repo delete, glab mr merge,
    svn commit`,
  publish: `npm publish, npm unpublish, pnpm publish, yarn publish, yarn npm publish,
    yarn workspace * publish, lerna publish, bun publish, cargo publish, twine upload, poetry publish,
    uv publish, gem push, docker push, podman push, docker image push, podman image push,
    dotnet nuget push, mvn deploy, gradle publish, ./gradlew publish, helm push, vsce publish`,
  deploy: `npm run deploy, pnpm deploy, pnpm run deploy, yarn deploy, bun run deploy, make deploy,
    just deploy, kubectl apply, kubectl delete, kubectl rollout, helm install, helm upgrade, helm uninstall,
    terraform apply, terraform destroy, tofu apply, tofu destroy, pulumi up, pulumi destroy, cdk deploy,
    cdk destroy, serverless deploy, sls deploy, sam deploy, vercel, netlify deploy, wrangler deploy,
    wrangler publish, firebase deploy, fly deploy, flyctl deploy, railway up, heroku, gcloud app deploy,
    gcloud run deploy, gcloud functions deploy, aws cloudformation deploy, aws s3 sync, aws s3 rm, eb deploy,
    cap production deploy, ansible-playbook, deploy.sh, ./deploy, ./deploy.sh, ./scripts/deploy.sh,
    scripts/deploy.sh, bash deploy.sh, sh deploy.sh`,
  payments: 'stripe, paypal',
};

/** Payments through a service, by shell or by a tool of a server. */
const ADDRESSES = ['api.stripe.com', 'api.paypal.com', 'api-m.paypal.com', 'api.adyen.com'];
const TOOLS = ['stripe', 'paypal', 'payment', 'checkout', 'invoice_pay'];

const STARTER_RULES: readonly string[] = [
  ...Object.values(COMMANDS).flatMap((names) => names.split(/,\s+/).map((command) => `shell(${command} *)`)),
  ...ADDRESSES.map((address) => `shell(*${address}*)`),
  ...TOOLS.map((tool) => `tool(*${tool}*)`),
];

const DELETE_OUTSIDE = 'delete outside the project';
/** Nobody can say that no rule fits such a call. */
const UNKNOWN_CALL = 'a call that Da Capo does not know';
const TYPED_SHELL = 'a shell into which commands are typed';

type Sought = ApprovalRule & { readonly text: string; readonly family: RuleFamily | null };

type Shell = Extract<ToolAct, { is: 'shell' }>;

/** `tools`: what the names of tools in rules mean with this host. */
export interface CallToMatch {
  readonly tool: string;
  readonly tools: RuleTools;
  readonly acts: readonly ToolAct[];
}

/** The text of the first rule that fits; null: the call needs no approval. */
export function approvalRule(
  rules: readonly string[],
  { tool, tools, acts }: CallToMatch,
  place: ProjectPlace,
  variables: Variables,
): string | null {
  const sought = rulesOf(rules, tools);
  const whole = sought.find((rule) => fitsTool(rule, tool, tools));
  if (whole !== undefined) return whole.text;
  if (acts.some(({ is }) => is === 'unknown')) return UNKNOWN_CALL;
  if (acts.some((act) => act.is === 'shell' && act.isTypedInto && awaitsTyping(act.line))) return TYPED_SHELL;
  const lines = acts.flatMap((act) => (act.is === 'shell' ? [readLine(act, variables)] : []));
  const run = sought.find(
    ({ family, pattern }) =>
      family === 'shell' && pattern !== null && lines.some(({ fits }) => fits.some((fit) => fit(pattern))),
  );
  if (run !== undefined) return run.text;
  const files = acts.flatMap((act) => (act.is === 'write' ? [resolve(act.cwd, act.path)] : []));
  const paths = [
    ...files.map((path) => ({ path, removes: false, tree: false, wild: false })),
    ...lines.flatMap((line) => line.paths),
  ];
  const written = sought.find(
    ({ family, pattern }) =>
      family === 'files' && paths.some((path) => pattern === null || fitsPath(pattern, path, place)),
  );
  if (written !== undefined) return written.text;
  const { project, foldCase, behindLinks } = place;
  return rules.includes(STARTER) &&
    paths.some(({ path, removes }) => removes && !isBelow(behindLinks(path), project, foldCase))
    ? DELETE_OUTSIDE
    : null;
}

function rulesOf(rules: readonly string[], tools: RuleTools): Sought[] {
  return rules
    .flatMap((rule) => (rule === STARTER ? STARTER_RULES : [rule]))
    .flatMap((text) => {
      const rule = parseRule(text);
      return rule === null
        ? []
        : [{ ...rule, text, family: familyOfWord(rule.tool) ?? tools.familyOf(rule.tool) }];
    });
}

/** A rule about every call of a tool. The name of a server alone is about all of its tools. */
function fitsTool({ tool: wanted, pattern, family }: Sought, tool: string, { familyOf }: RuleTools): boolean {
  if (familyOfWord(wanted) !== null)
    return (
      family === familyOf(tool) && (pattern === null || (family === 'name' && fitsPattern(pattern, tool)))
    );
  if (pattern !== null) return false;
  return fitsPattern(wanted, tool) || (family === 'name' && tool.startsWith(`${wanted}__`));
}

interface WrittenPath {
  readonly path: string;
  readonly removes: boolean;
  readonly tree: boolean;
  readonly wild: boolean;
}

/** What a line does: whether a rule fits one of its commands or texts, and what it writes. */
function readLine({ line, cwd }: Shell, variables: Variables) {
  const whole = line.replace(/\s+/g, ' ').trim();
  const fits: ((pattern: string) => boolean)[] = [(pattern) => fitsPattern(pattern, whole)];
  const paths: WrittenPath[] = [];
  for (const act of actsOfLine(line, variables.get('HOME') ?? '~'))
    if (act.is === 'run') {
      const { words, verb, args, reads } = act;
      // As it is written, and without what precedes it.
      for (const said of [words, [...verb.split(' ').map((text) => ({ text })), ...args]]) {
        const spelling = spellingOf(said.map(({ text }) => text));
        fits.push((pattern) => fitsCommand(pattern, spelling, reads));
      }
    } else if (act.is === 'write') {
      const { word, how, tree, folder } = act;
      paths.push({ path: resolve(cwd, folder, word.text), removes: how === 'remove', tree, wild: word.wild });
    } else if (act.runs) {
      const text = readShellText(act.text, variables);
      const spelling = spellingOf(text.words);
      fits.push((pattern) => mentionsCommand(pattern, text, spelling));
      paths.push(...pathsIn(text, resolve(cwd, act.folder)));
    }
  return { fits, paths };
}

/** What a text that can write mentions. Code of other languages can always write. */
function pathsIn(text: RawText, cwd: string): WrittenPath[] {
  if (!canWrite(text) && !holdsCode(text)) return [];
  const removes = canRemove(text);
  const folders = [cwd, ...text.folders.map((folder) => resolve(cwd, folder))];
  return [...text.tokens].flatMap((token) =>
    folders.map((folder) => ({
      path: resolve(folder, token),
      // Of a URL, `//host/path` is left.
      removes: removes && !/^(?:\/\/|\/dev\/)/.test(token),
      tree: false,
      wild: /[*?]/.test(token),
    })),
  );
}

/**
 * As the host reads such patterns: `//` from the root, `~/` from home, else from the project; a name alone:
 * anywhere.
 */
function fitsPath(
  pattern: string,
  { path, tree, wild }: WrittenPath,
  { project, foldCase, behindLinks }: ProjectPlace,
): boolean {
  const real = behindLinks(path);
  const [wanted, seen] = pattern.startsWith('//')
    ? [pattern.slice(1), [path, real]]
    : pattern.startsWith('~/')
      ? [resolve(homedir(), pattern.slice(2)), [path, real]]
      : [
          pattern.replace(/^(?:\.\/|\/)/, ''),
          [seenFromProject(project, path), seenFromProject(project, real)],
        ];
  const matches = globs(
    [wanted, `${wanted.replace(/\/$/, '')}/**`, ...(wanted.includes('/') ? [] : [`**/${wanted}`])],
    foldCase,
  );
  const folder = wanted.replace(/\/?[*?[{].*$/s, '');
  return seen.some(
    (one) =>
      matches(one) ||
      // Removing a folder removes what is in it.
      (tree && (matches(`${one}/x`) || isBelow(folder, one, foldCase) || /^\.?$/.test(one))) ||
      (wild && [folder, `${folder}/x`].some(globs([one], foldCase))),
  );
}

// @module-tag postgres
/**
 * The recipe for Kubernetes, without a cluster: what its manifests promise each other, the question of the
 * scaler asked of a real fleet, and the entry of the container run with the flags of each manifest.
 */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { installedHost } from '../../../scripts/test/hosts.mjs';
import { ENGINES, exitLine, openRecipeStage, readYaml } from './recipe-stage.ts';

const MODULES = resolve(import.meta.dirname, '../../../node_modules');

const ENTRY = join(ENGINES, 'kubernetes/entry.sh');

interface Pod {
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [
    {
      readonly args: readonly string[];
      readonly env: readonly { readonly name: string; readonly value: string }[];
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    },
  ];
  readonly volumes: readonly { readonly name: string }[];
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly template: { readonly spec: Pod };
    readonly jobTargetRef: { readonly template: { readonly spec: Pod } };
    readonly triggers: readonly [{ readonly metadata: { readonly query: string } }];
  };
}

const manifestOf = (file: string, kind: string) =>
  (readYaml(`kubernetes/${file}`) as Manifest[]).find((one) => one.kind === kind) as Manifest;
const JOB = manifestOf('job.yaml', 'Job').spec.template.spec;
const DEPLOYMENT = manifestOf('deployment.yaml', 'Deployment').spec.template.spec;
const SCALED = manifestOf('scaled-job.yaml', 'ScaledJob').spec;
const SCALED_JOB = SCALED.jobTargetRef.template.spec;
const PODS = { JOB, DEPLOYMENT, SCALED_JOB };

/**
 * The published schemas as types, which also know every field: a schema alone lets a misspelt one pass.
 */
test('each manifest is what Kubernetes and KEDA publish', { tags: ['nodes'], timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dck8s-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, linked] of [
    ['kubernetes', 'kubernetes-models'],
    ['keda', '@kubernetes-models'],
  ] as const) {
    const { program, missing } = installedHost(name);
    if (program === undefined) throw new Error(missing);
    const modules = program.slice(0, program.indexOf(linked));
    symlinkSync(join(modules, linked), join(folder, 'node_modules', linked));
  }
  const files = readdirSync(join(ENGINES, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
  const manifests = files.flatMap((file) => readYaml(`kubernetes/${file}`) as Manifest[]);
  expect(manifests).toHaveLength(8);
  const check = async (all: readonly Manifest[]) => {
    const lines = all.map(({ apiVersion, kind, ...rest }, k) => {
      const library = apiVersion.startsWith('keda.sh/') ? '@kubernetes-models/keda' : 'kubernetes-models';
      const type = `import('${library}/${apiVersion}').I${kind}`;
      return `export const m${k}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
    });
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    const types = ['--types', 'node', '--typeRoots', join(MODULES, '@types')];
    const tsc = join(MODULES, 'typescript/bin/tsc');
    return promisify(execFile)(process.execPath, [tsc, ...strict, ...types, 'manifests.ts'], { cwd: folder });
  };
  await check(manifests);
  const misspelt = manifests.map((one) =>
    one.kind === 'ScaledJob' ? { ...one, spec: { ...one.spec, polingInterval: 15 } } : one,
  );
  await expect(check(misspelt)).rejects.toMatchObject({
    stdout: expect.stringContaining('polingInterval'),
  });
});

test('each pod has one loop, time to hand it over, the URL in a file, and a volume for mirrors', () => {
  const dockerfile = readFileSync(join(ENGINES, 'kubernetes/Dockerfile'), 'utf8');
  const home = /DACAPO_HOME=(\S+) DACAPO_URL_FILE=(\S+)\/url$/m.exec(dockerfile);
  for (const pod of Object.values(PODS)) {
    const [{ args, env, volumeMounts }] = pod.containers;
    const grace = env.find(({ name }) => name === 'DACAPO_GRACE')?.value ?? '';
    expect(grace).toMatch(/^\d+s$/);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number.parseInt(grace));
    expect(args).not.toContain('--capacity');
    expect(env.map(({ name }) => name)).not.toContain('DACAPO_FLEET');
    const paths = volumeMounts.map(({ mountPath }) => mountPath);
    expect(paths).toEqual([home?.[2], `${home?.[1]}/fleet/mirrors`]);
    expect(pod.volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name));
  }
  expect([JOB.restartPolicy, SCALED_JOB.restartPolicy]).toEqual(['Never', 'Never']);
  expect(JOB.containers[0].args[0]).toBe('--loop');
});

test('the entry of the container, with the flags of each manifest', { timeout: 120_000 }, async () => {
  const { stage, start } = await openRecipeStage();
  const counted = async () =>
    Number(Object.values((await stage.sql(SCALED.triggers[0].metadata.query))[0] ?? {})[0]);
  const once = SCALED_JOB.containers[0].args;
  expect(await counted()).toBe(0);
  const idle = start(ENTRY, once);
  expect(await idle.code).toBe(0);
  expect(exitLine(idle.said())).toMatchObject({ is: 'exits', code: 69, loop: null });

  const slow = await stage.submit('Work.\ndo: sleep 60; echo x > x.txt', '--check', 'test -e x.txt');
  expect(await counted()).toBe(1);
  const pod = start(ENTRY, once, { DACAPO_GRACE: '8s' });
  while (stage.passes().length === 0) await sleep(50);
  expect(await counted()).toBe(0);
  pod.signal('SIGTERM');
  expect(await pod.code).toBe(0);
  expect(exitLine(pod.said())).toMatchObject({ is: 'exits', code: 75, loop: slow });
  expect(await stage.status(slow)).toMatchObject({ iteration: 1, worker: null, waits: { for: 'worker' } });

  const flags = ['--check', 'test $(wc -l < x.txt) -ge 2', '--pause', '1h'];
  const waits = await stage.submit('Work.\ndo: echo x >> x.txt', ...flags);
  const own = start(ENTRY, ['--loop', waits]);
  // Its Job looks at the code itself, and starts another pod.
  expect(await own.code).toBe(75);

  const stays = start(ENTRY, DEPLOYMENT.containers[0].args.with(-1, '127.0.0.1:0'), { DACAPO_GRACE: '8s' });
  while (!stays.said().includes('"takes"')) await sleep(50);
  stays.signal('SIGTERM');
  expect(await stays.code).toBe(0);
});

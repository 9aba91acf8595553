import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listBelow } from '#base/files/list-below.ts';
import {
  findLeftExports,
  makeReadOnly,
  removeExport,
  removeLinksOut,
  withExportFolder,
} from '#base/files/exports.ts';
import { recordPoint } from '#evidence/git/points/points.ts';
import { exportTree, type ExportOrder, type ExportSource } from '#evidence/git/worktree/export.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { bytesIn, git, put, repository } from './repository.ts';

const NOW: ExportSource = { is: 'work-tree' };

async function exported(project: string, more: Partial<ExportOrder> = {}) {
  const to = more.to ?? temporaryFolder();
  const done = await exportTree({ project, from: NOW, to, ...more });
  if (!done.ok) throw new Error(`${done.code}: ${done.message}`);
  return { ...done, to };
}

/** Every file and link below a folder, by name. */
function contentsOf(folder: string): Record<string, string> {
  const entries = listBelow(folder);
  return Object.fromEntries(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [
        relative(folder, path),
        lstatSync(path).isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, 'utf8'),
      ]),
  );
}

async function keptTree(project: string): Promise<Extract<ExportSource, { is: 'tree' }>> {
  const store = join(temporaryFolder(), 'store');
  const point = await recordPoint({ project, store, name: 'start' });
  if (!point.ok) throw new Error(point.message);
  return { is: 'tree', tree: point.tree, store };
}

describe('the work tree as it is now', () => {
  it('has tracked, changed and new files, and nothing that git ignores, and no .git', async () => {
    const project = repository({
      'a.txt': 'a\n',
      'src/b.txt': 'b\n',
      'gone.txt': 'g\n',
      '.gitignore': '*.log\nout/\n',
    });
    put(project, 'src/b.txt', 'changed\n');
    put(project, 'new/file with spaces ü.txt', 'new\n');
    put(project, 'x.log', 'ignored');
    put(project, 'out/conftest.py', 'ignored');
    rmSync(join(project, 'gone.txt'));
    const before = bytesIn(project);
    const { to, files, project: at } = await exported(project);
    expect(contentsOf(to)).toEqual({
      '.gitignore': '*.log\nout/\n',
      'a.txt': 'a\n',
      'new/file with spaces ü.txt': 'new\n',
      'src/b.txt': 'changed\n',
    });
    expect(files.toSorted()).toEqual(Object.keys(contentsOf(to)));
    expect(at).toBe(to);
    expect(bytesIn(project)).toEqual(before);
  });

  it('leaves out what is not wanted', async () => {
    const project = repository({ 'a.txt': 'a', '.claude/settings.json': '{}', 'sub/CLAUDE.md': 'x' });
    const { to } = await exported(project, { isWanted: (path) => !/^\.claude\/|CLAUDE\.md$/.test(path) });
    expect(contentsOf(to)).toEqual({ 'a.txt': 'a' });
  });

  it('keeps the right to execute, and links as links', async () => {
    const project = repository({ 'run.sh': 'exit 0\n' });
    chmodSync(join(project, 'run.sh'), 0o755);
    symlinkSync('run.sh', join(project, 'inside'));
    symlinkSync('/etc/hostname', join(project, 'outside'));
    symlinkSync('nowhere', join(project, 'dangling'));
    const { to } = await exported(project);
    expect(lstatSync(join(to, 'run.sh')).mode & 0o111).toBe(0o111);
    expect(contentsOf(to)).toEqual({
      dangling: '-> nowhere',
      inside: '-> run.sh',
      outside: '-> /etc/hostname',
      'run.sh': 'exit 0\n',
    });
  });

  it('does not follow a folder that became a link', async () => {
    const project = repository({ 'src/b.txt': 'b\n' });
    const elsewhere = temporaryFolder();
    put(elsewhere, 'b.txt', 'secret');
    rmSync(join(project, 'src'), { recursive: true });
    symlinkSync(elsewhere, join(project, 'src'));
    const { to } = await exported(project);
    expect(contentsOf(to)).toEqual({ src: `-> ${elsewhere}` });
  });

  it('has what is checked out of a submodule and of a nested repository', async () => {
    const inner = repository({ 'in.txt': 'in\n', '.gitignore': 'build\n' });
    const project = repository({ 'a.txt': 'a' });
    git(project, 'submodule', 'add', '-q', inner, 'lib');
    git(project, 'commit', '-qm', 'Submodule');
    put(project, 'lib/in.txt', 'changed\n');
    put(project, 'lib/build', 'ignored');
    git(project, 'init', '-q', 'nested');
    put(project, 'nested/n.txt', 'n');
    const { to } = await exported(project);
    expect(contentsOf(to)).toMatchObject({ 'a.txt': 'a', 'lib/in.txt': 'changed\n', 'nested/n.txt': 'n' });
    expect(Object.keys(contentsOf(to)).filter((name) => /\.git\/|\.git$|build/.test(name))).toEqual([]);
  });

  it('has only what a sparse checkout shows', async () => {
    const project = repository({ 'a/a.txt': 'a', 'b/b.txt': 'b' });
    git(project, 'sparse-checkout', 'set', '--cone', 'a');
    expect(contentsOf((await exported(project)).to)).toEqual({ 'a/a.txt': 'a' });
  });

  it('has the bytes of the disk, whatever git converts, and runs no filter', async () => {
    const ran = join(temporaryFolder(), 'ran');
    const project = repository({ '.gitattributes': '*.txt text eol=crlf\n*.bin filter=own\n', 'x.bin': '1' });
    git(project, 'config', 'filter.own.clean', `touch ${ran}; cat`);
    git(project, 'config', 'filter.own.smudge', `touch ${ran}; cat`);
    put(project, 'unix.txt', 'a\nb\n');
    put(project, 'dos.txt', 'a\r\nb\r\n');
    put(project, 'x.bin', '2');
    const from = await keptTree(project);
    expect(contentsOf((await exported(project)).to)).toMatchObject({
      'unix.txt': 'a\nb\n',
      'dos.txt': 'a\r\nb\r\n',
      'x.bin': '2',
    });
    await exported(project, { from });
    expect(existsSync(ran)).toBe(false);
  });

  it('of a project in a subfolder has the whole repository, and says where the project is', async () => {
    const project = repository({ 'shared.txt': 's', 'app/a.txt': 'a' });
    const { to, project: at } = await exported(join(project, 'app'));
    expect(readFileSync(join(at, 'a.txt'), 'utf8')).toBe('a');
    expect(readFileSync(join(to, 'shared.txt'), 'utf8')).toBe('s');
  });

  it.runIf(process.platform === 'linux')('keeps names that are not UTF-8', async () => {
    const project = repository({ 'a.txt': 'a' });
    const name = Buffer.from([0x66, 0xff, 0x2e, 0x74]);
    writeFileSync(Buffer.concat([Buffer.from(`${project}/`), name]), 'x');
    const { to } = await exported(project);
    expect(readdirSync(to, { encoding: 'buffer' }).some((one) => one.equals(name))).toBe(true);
    makeReadOnly(to);
    removeExport(to);
    expect(existsSync(to)).toBe(false);
  });

  it('stops when it is told to', async () => {
    const project = repository();
    const done = await exportTree({ project, from: NOW, to: temporaryFolder(), signal: AbortSignal.abort() });
    expect(done.ok).toBe(false);
  });
});

describe('a folder without git', () => {
  it('has all files but those that programs make', async () => {
    const project = temporaryFolder();
    put(project, 'a.txt', 'a');
    put(project, 'deep/b.txt', 'b');
    put(project, 'node_modules/x/index.js', 'x');
    symlinkSync('/etc', join(project, 'etc'));
    expect(contentsOf((await exported(project)).to)).toEqual({
      'a.txt': 'a',
      'deep/b.txt': 'b',
      etc: '-> /etc',
    });
  });

  it('is seen as such where a repository around it ignores it', async () => {
    const home = repository({ 'dot.txt': 'd', '.gitignore': 'project/\n' });
    put(home, 'project/a.txt', 'a');
    expect(contentsOf((await exported(join(home, 'project'))).to)).toEqual({ 'a.txt': 'a' });
  });

  it('gives back files that were kept', async () => {
    const project = temporaryFolder();
    put(project, 'a.txt', 'now');
    const folder = temporaryFolder();
    put(folder, 'a.txt', 'then');
    const { to } = await exported(project);
    await exported(project, { from: { is: 'folder', folder }, to });
    expect(contentsOf(to)).toEqual({ 'a.txt': 'then' });
  });
});

describe('an earlier tree', () => {
  it('has the contents of then, of tracked and of new files', async () => {
    const project = repository({ 'a.txt': 'a', 'run.sh': 'exit 1', '.gitignore': 'x\n' });
    chmodSync(join(project, 'run.sh'), 0o755);
    put(project, 'a.txt', 'dirty');
    put(project, 'ä b.txt', 'new');
    symlinkSync('a.txt', join(project, 'link'));
    const from = await keptTree(project);
    put(project, 'a.txt', 'later');
    rmSync(join(project, 'run.sh'));
    const before = bytesIn(project);
    const { to } = await exported(project, { from });
    expect(contentsOf(to)).toEqual({
      '.gitignore': 'x\n',
      'a.txt': 'dirty',
      link: '-> a.txt',
      'run.sh': 'exit 1',
      'ä b.txt': 'new',
    });
    expect(lstatSync(join(to, 'run.sh')).mode & 0o111).not.toBe(0);
    expect(bytesIn(project)).toEqual(before);
  });

  it('can be laid over another export: files, links and folders in the way are replaced, never followed', async () => {
    const project = repository({ 'tests/x.sh': 'exit 1', file: 'f', 'src/a.js': 'then' });
    const from = await keptTree(project);
    const elsewhere = temporaryFolder();
    put(elsewhere, 'x.sh', 'mine');
    rmSync(join(project, 'tests'), { recursive: true });
    symlinkSync(elsewhere, join(project, 'tests'));
    rmSync(join(project, 'file'));
    put(project, 'file/inside', 'i');
    put(project, 'src/a.js', 'now');
    const { to } = await exported(project);
    await exported(project, { from, to, isWanted: (path) => !path.startsWith('src/') });
    expect(contentsOf(to)).toEqual({ 'tests/x.sh': 'exit 1', file: 'f', 'src/a.js': 'now' });
    expect(readFileSync(join(elsewhere, 'x.sh'), 'utf8')).toBe('mine');
  });

  it('may have the work of now laid over it as well', async () => {
    const project = repository({ 'tests/x.sh': 'exit 1', 'src/a.js': 'then' });
    const from = await keptTree(project);
    put(project, 'tests/y.sh', 'exit 2');
    put(project, 'src/a.js', 'now');
    const elsewhere = temporaryFolder();
    const { to } = await exported(project, { from });
    rmSync(join(to, 'tests'), { recursive: true });
    symlinkSync(elsewhere, join(to, 'tests'));
    await exported(project, { to, isWanted: (path) => path.startsWith('tests/') });
    expect(contentsOf(to)).toEqual({ 'tests/x.sh': 'exit 1', 'tests/y.sh': 'exit 2', 'src/a.js': 'then' });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('is converted as its own attributes say, not as those of now, of .git or of its settings do', async () => {
    const project = repository({ '.gitattributes': '*.bat eol=crlf\n', 'a.bat': 'x\n', 'a.sh': 'x\n' });
    const from = await keptTree(project);
    put(project, '.gitattributes', '*.sh working-tree-encoding=UTF-16\n');
    put(project, '.git/info/attributes', '*.sh eol=crlf\n');
    git(project, 'config', 'core.autocrlf', 'true');
    const { to } = await exported(project, { from, isWanted: (path) => path !== '.gitattributes' });
    expect(contentsOf(to)).toEqual({ 'a.bat': 'x\r\n', 'a.sh': 'x\n' });
  });

  it('is whole in a sparse checkout, and has no files of a submodule', async () => {
    const inner = repository({ 'in.txt': 'in\n' });
    const project = repository({ 'a/a.txt': 'a', 'b/b.txt': 'b' });
    git(project, 'submodule', 'add', '-q', inner, 'lib');
    git(project, 'commit', '-qm', 'Submodule');
    git(project, 'sparse-checkout', 'set', '--cone', 'a');
    const from = await keptTree(project);
    const { files } = await exported(project, { from });
    expect(files).toEqual(['.gitmodules', 'a/a.txt', 'b/b.txt']);
  });

  it('can be a commit of a repository with long ids', async () => {
    const project = join(temporaryFolder(), 'long');
    mkdirSync(project);
    git(project, 'init', '-q', '--object-format=sha256');
    put(project, 'a.txt', 'a');
    git(project, 'add', '-A');
    git(project, '-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'First');
    const tree = git(project, 'rev-parse', 'HEAD').trim();
    const { to } = await exported(project, { from: { is: 'tree', tree, store: temporaryFolder() } });
    expect(contentsOf(to)).toEqual({ 'a.txt': 'a' });
  });

  it('is refused if it is not there, and a word for git is none', async () => {
    const project = repository();
    const done = (tree: string) =>
      exportTree({ project, from: { is: 'tree', tree, store: temporaryFolder() }, to: temporaryFolder() });
    expect(await done('0123456789012345678901234567890123456789')).toMatchObject({ ok: false, code: 'tree' });
    expect(await done('--empty')).toMatchObject({ ok: false, code: 'tree' });
  });
});

describe('the folder of an export', () => {
  const isAlive = (pid: number) => pid === process.pid;

  it('goes at the end, also after an error, and also if it is read-only', async () => {
    const home = temporaryFolder();
    const project = repository();
    const made: string[] = [];
    const use = async (to: string) => {
      made.push(to);
      await exported(project, { to });
      makeReadOnly(to);
      throw new Error('judge failed');
    };
    await expect(withExportFolder({ home, isAlive }, use)).rejects.toThrow('judge failed');
    expect(made.map((path) => existsSync(path))).toEqual([false]);
  });

  it.skipIf(process.getuid?.() === 0)('lets nothing be written while it is read-only', async () => {
    const { to } = await exported(repository());
    makeReadOnly(to);
    expect(() => writeFileSync(join(to, 'a.txt'), 'x')).toThrow('EACCES');
    expect(() => writeFileSync(join(to, 'src', 'new'), 'x')).toThrow('EACCES');
    removeExport(to);
  });

  it('has no right to write in any file or folder while it is read-only', async () => {
    const { to } = await exported(repository());
    makeReadOnly(to);
    const all = [to, ...readdirSync(to, { recursive: true }).map((name) => join(to, String(name)))];
    expect(all.filter((path) => (lstatSync(path).mode & 0o222) !== 0)).toEqual([]);
    removeExport(to);
  });

  it('has no link that leads out of it, once these are removed', async () => {
    const project = repository({ 'a.txt': 'a', 'deep/b.txt': 'b' });
    const links = { inside: 'deep', up: 'deep/../a.txt', own: '.' };
    const out = {
      above: '..',
      absolute: project,
      hostname: '/etc/hostname',
      behind: 'own/../x',
      none: 'nowhere',
    };
    for (const [name, target] of Object.entries({ ...links, ...out }))
      symlinkSync(target, join(project, name));
    const { to } = await exported(project);
    removeLinksOut(to);
    const left = readdirSync(to).filter((name) => lstatSync(join(to, name)).isSymbolicLink());
    expect(left.toSorted()).toEqual(['inside', 'own', 'up']);
    expect(existsSync(project)).toBe(true);
  });

  it('goes with the next export if its process was killed, and not before', async () => {
    const home = temporaryFolder();
    const name = hostname().replaceAll(/[^\w-]/g, '-');
    const at = (one: string) => join(home, 'exports', one);
    const [left, mine] = [at(`${name}.999999999.a`), at(`${name}.${process.pid}.b`)];
    const [others, old] = [at('other.1.c'), at('other.1.d')];
    for (const folder of [left, mine, others, old]) put(folder, 'deep/file', 'x');
    makeReadOnly(left);
    const yesterday = new Date(Date.now() - 25 * 60 * 60_000);
    utimesSync(old, yesterday, yesterday);
    expect(findLeftExports(home, isAlive, Date.now()).toSorted()).toEqual([left, old].toSorted());
    await withExportFolder({ home, isAlive }, async () => undefined);
    expect([left, mine, others, old].map((path) => existsSync(path))).toEqual([false, true, true, false]);
  });

  it('goes with dacapo prune, also if it is read-only', () => {
    const home = temporaryFolder();
    const left = join(home, 'exports', `${hostname().replaceAll(/[^\w-]/g, '-')}.999999999.a`);
    put(left, 'deep/file', 'x');
    makeReadOnly(left);
    const { leftovers, sweep } = fileStore(homeAt(home));
    const found = leftovers({ removed: new Set(), isAlive, now: new Date().toISOString() });
    expect(found).toEqual([left]);
    sweep(found);
    expect(existsSync(left)).toBe(false);
  });

  it('costs little for many files', async () => {
    const project = repository();
    for (let n = 0; n < 2_000; n++) put(project, `many/${n % 50}/${n}.txt`, String(n));
    const began = performance.now();
    await exported(project);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

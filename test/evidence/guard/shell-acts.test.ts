import { describe, expect, it } from 'vitest';
import { personsCommand } from '#evidence/guard/persons.ts';
import { actsOfLine } from '#evidence/guard/shell-acts.ts';

const acts = (line: string) => actsOfLine(line, '/home/me');

/** All of what a line writes: with what is below it (`/…`), and what the shell would expand (`[pattern]`). */
function allWritten(line: string): string[] {
  return acts(line).flatMap((act) => {
    if (act.is !== 'write') return [];
    const path = placed(act.folder, act.word.text);
    return [`${act.how} ${act.word.wild ? `[${path}]` : path}${act.tree ? '/…' : ''}`];
  });
}

function placed(folder: string, path: string): string {
  return folder === '' ? path : `${folder} > ${path}`;
}

describe('redirections', () => {
  it.each([
    ['echo x > tests/a', ['write tests/a']],
    ['echo x>>tests/a', ['append tests/a']],
    ['npm test &>> out.txt', ['append out.txt']],
    ['npm test 2>&1 >| out.txt', ['write out.txt']],
    ['echo x 2> "a b"', ['write a b']],
    ['rm ~/x > ~/y', ['write /home/me/y', 'remove /home/me/x/…']],
    ["cat > tests/a <<'EOF'\nrm other\nEOF\nrm b", ['write tests/a', 'remove b/…']],
    ['# rm tests/a \\\nrm b', ['remove b/…']],
    ["echo 'x > tests/a' # > b", []],
  ])('%s', (line, found) => expect(allWritten(line)).toEqual(found));
});

describe('each program', () => {
  it.each([
    ['rm a b', ['remove a/…', 'remove b/…']],
    ['rmdir a', ['remove a/…']],
    ['unlink a', ['remove a/…']],
    ['shred -u a', ['remove a/…']],
    ['/bin/rm -f -- a', ['remove a/…']],
    ['rm tests/*.ts', ['remove [tests/*.ts]/…']],
    ['rm "tests/*.ts"', ['remove tests/*.ts/…']],
    ['rm tests/?.ts', ['remove [tests/?.ts]/…']],
    ['mv a b', ['remove a/…', 'write b', 'write b/a']],
    ['mv a/ b/c .', ['remove a//…', 'remove b/c/…', 'write .', 'write ./a', 'write ./c']],
    ['mv -t b a', ['remove a/…', 'write b', 'write b/a']],
    ['mv', []],
    ['cp a b', ['write b', 'write b/a']],
    ['cp src/a* b', ['write b', 'write [b/a*]']],
    ['cp a b/*', ['write [b/*]', 'write [b/*/a]']],
    ['cp -t b a', ['write b', 'write b/a']],
    ['cp --target-directory b a', ['write b', 'write b/a']],
    ['cp --no-target-directory a b', ['write b', 'write b/a']],
    ['cp -r x-t y b', ['write b', 'write b/x-t', 'write b/y']],
    ['cp', []],
    ['ln -s a b', ['write b', 'write b/a']],
    ['install -D a b', ['write b', 'write b/a']],
    ['rsync -a x/a// b', ['write b', 'write b/a']],
    ['chmod +x a', ['write +x', 'write a']],
    ['chmod -R +x a', ['write +x/…', 'write a/…']],
    ['chmod -vR +x a', ['write +x/…', 'write a/…']],
    ['chmod +x x-R x--recursive', ['write +x', 'write x-R', 'write x--recursive']],
    ['chmod -v -R +x a', ['write +x/…', 'write a/…']],
    ['chown --recursive me a', ['write me/…', 'write a/…']],
    ['chown -h me a', ['write me', 'write a']],
    ['tee a b', ['write a', 'write b']],
    ['truncate --size=0 a', ['write a']],
    ['patch -p1 a', ['write a']],
    ['ed -s a', ['write a']],
    ['ex -s a', ['write a']],
    ['dd if=b of=a bs=1', ['write a']],
    ['dd if=b of=*', ['write [*]']],
    ['sed -n -i p a', ['write p', 'write a']],
    ['sed p a-i --x-in-place', []],
    ['sed s-x-i-g a', []],
    ["awk -i inplace '{ print }' a", ['write inplace', 'write { print }', 'write a']],
    ['gawk -i inplace 1 a', ['write inplace', 'write 1', 'write a']],
    ['awk 1 a', []],
    ['sort -o a b', ['write a']],
    ['sort b-o a', []],
    ['wget -O a http://x', ['write a']],
    ['wget -qO a http://x', ['write a']],
    ['wget --output-document a http://x', ['write a']],
    ['curl -fsSLo a http://x', ['write a']],
    ['curl --output a http://x', ['write a']],
    ['curl --output-dir a http://x', []],
    ['curl http://x -o', []],
    ['perl -i.bak -pe s/a/b/ a', ['write s/a/b/', 'write a']],
    ['perl -0777 -pi -e s/a/b/ a', ['write s/a/b/', 'write a']],
    ['perl -0pi -e s/a/b/ a', ['write s/a/b/', 'write a']],
    ['ruby -pi -e "gsub(/a/, %q)" a', ['write gsub(/a/, %q)', 'write a']],
    ['perl -Ilib -Mstrict -mlib -e 1 a', []],
    ['perl -e "print 1" x-i', []],
    ['ls -i a', []],
    ['cat a', []],
    ['"" a', []],
  ])('%s', (line, acts) => expect(allWritten(line)).toEqual(acts));
});

describe('git', () => {
  it.each([
    ['git checkout -- a b', ['restore a/…', 'restore b/…']],
    ['git checkout -- .', ['restore ./…']],
    ['git checkout .', ['restore ./…']],
    ['git checkout HEAD~1 -- a', ['restore a/…']],
    ['git checkout HEAD~1 a', ['restore HEAD~1/…', 'restore a/…']],
    ["git checkout -- 'a/*.ts' 'b?'", ['restore [a/*.ts]/…', 'restore [b?]/…']],
    ['git checkout --conflict merge -- a', ['restore a/…']],
    ['git checkout -b a', []],
    ['git checkout -B a main', []],
    ['git checkout -d a', []],
    ['git checkout -t origin/a', []],
    ['git checkout --orphan a', []],
    ['git checkout --detach a', []],
    ['git checkout --track origin/a', []],
    ['git switch a', []],
    ['git -c user.name=x checkout -- a', ['restore a/…']],
    ['git --git-dir x checkout -- a', ['restore a/…']],
    ['git restore a', ['restore a/…']],
    ['git restore .', ['restore ./…']],
    ['git restore --source=HEAD~1 a', ['restore a/…']],
    ['git restore --source HEAD~1 a', ['restore a/…']],
    ['git restore -s HEAD~1 a', ['restore a/…']],
    ['git restore --staged a', []],
    ['git restore -S a', []],
    ['git restore x--staged', ['restore x--staged/…']],
    ['git restore --staged --worktree a', ['restore a/…']],
    ['git restore -S -W a', ['restore a/…']],
    ['git reset HEAD a', []],
    ['git reset --hard', []],
    ['git reset --hard HEAD~1', []],
    ['git merge a', []],
    ['git rm -r a', ['remove a/…']],
    ['git rm -- -a', ['remove -a/…']],
    ['git rm --cached a', []],
    ['git rm -n a', []],
    ['git rm --dry-run a', []],
    ['git mv a b', ['remove a/…', 'write b', 'write b/a']],
    ['git stash', []],
    ['git stash -u', []],
    ['git stash push', []],
    ['git stash push -- a', ['restore a/…']],
    ['git stash push a', ['restore a/…']],
    ['git stash push -m words a', ['restore a/…']],
    ['git stash push --message words -- a push', ['restore a/…', 'restore push/…']],
    ['git stash -- a', ['restore a/…']],
    ['git stash -a', ['clean ./…']],
    ['git stash push -ka', ['clean ./…']],
    ['git stash push --all', ['clean ./…']],
    ['git stash push -a -- a', ['restore a/…']],
    ['git stash push x-a --x--all', ['restore x-a/…']],
    ['git stash pop', []],
    ['git stash apply a', []],
    ['git stash show -a', []],
    ['git stash save a', []],
    ['git clean -fdx a', ['remove a/…']],
    ['git clean -fd', []],
    ['git clean -fdx', ['clean ./…']],
    ['git clean -Xf', ['clean ./…']],
    ['git clean -fdxn', []],
    ['git clean -n a', []],
    ['git clean --dry-run a', []],
    ['git clean -fdx -e a', []],
    ['git clean -fdxe a', ['remove a/…']],
    ['git clean -fdx --exclude=a', []],
    ['git clean -fd --exclude a b', ['remove b/…']],
    ['git clean -f -- x-n', ['remove x-n/…']],
    ['git --no-pager rm a', ['remove a/…']],
    ['git -C sub rm a', ['remove sub > a/…']],
    ['/usr/bin/git -C sub rm a', ['remove sub > a/…']],
    ['cd x && git -C sub rm a', ['remove x/sub > a/…']],
    ['tar -C sub rm a', []],
    ['rm -C sub', ['remove sub/…']],
    ['git -C', []],
    ['git', []],
    ['git add a', []],
    ['git commit -m rm a', []],
  ])('%s', (line, acts) => expect(allWritten(line)).toEqual(acts));
});

describe('what stands in front of a command', () => {
  it.each([
    'sudo rm a',
    'sudo -u me rm a',
    'env -i A=1 rm a',
    'env -u A -u B rm a',
    'A=1 B= rm a',
    'nice -n 10 rm a',
    'timeout --foreground 2h rm a',
    'nohup stdbuf -oL rm a',
    'flock /tmp/lock rm a',
    'command rm a',
  ])('%s', (line) => expect(allWritten(line)).toEqual(['remove a/…']));

  it.each(['5 rm a', 'npm rm a', 'echo rm a', 'a-b rm a'])('%s is no `rm`', (line) =>
    expect(allWritten(line)).toEqual([]),
  );
});

describe('where a line has gone', () => {
  it.each([
    ['cd a && rm b', ['remove a > b/…']],
    ['cd a/ && cd ../b && rm c', ['remove a//../b > c/…']],
    // A `cd` may fail.
    ['cd a; rm b', ['remove b/…', 'remove a > b/…']],
    ['cd a || rm b', ['remove b/…', 'remove a > b/…']],
    ['cd a && rm b; rm c', ['remove a > b/…', 'remove c/…', 'remove a > c/…']],
    ['cd /a && cd ~ && rm b', ['remove /home/me > b/…']],
  ])('%s', (line, found) => expect(allWritten(line)).toEqual(found));
});

describe('what a program that may do more than read is given', () => {
  const given = (line: string): string[] =>
    acts(line).flatMap((act) =>
      act.is === 'text' ? [`${act.runs ? 'runs' : 'names'} ${placed(act.folder, act.text)}`] : [],
    );

  it.each([
    ['prettier --write a', ['names --write a .']],
    ['cd a && make b', ['names a > b .']],
    ['sh -c "rm a"', ['names -c .', 'runs sh -c rm a ']],
    ['nodemon --exec "rm a"', ['names --exec .', 'runs rm a']],
    ['dacapo run x --check vercel', ['runs dacapo run x --check vercel ']],
    ["ssh host <<'X'\nrm a\nX", ['names host .', 'runs rm a\n']],
    ["tee a <<'X'\nb c\nX", ['runs b c\n']],
    ['rm a', []],
    ['find a -name "b c"', []],
    ['cat a | jq ".b c"', []],
    ['git commit -m "a b"', []],
    ['gh pr create --body "a b"', ['names pr create --body .']],
    ['dacapo status a', []],
    ['sudo cat a', []],
  ])('%s', (line, texts) => expect(given(line)).toEqual(texts));
});

describe('a line that is not plain is a text as a whole', () => {
  it.each([
    'rm $F',
    'rm "$F"',
    'rm `ls`',
    '(rm a)',
    '{ rm a; }',
    'if true; then rm a; fi',
    'for f in a; do rm a; done',
    'rm a{b,c}',
    'rm \\\na',
    'rm a \r\n',
    "rm $'a'",
    'F=a; rm a',
    'HOME=/x rm ~/a',
    'rm ~me/a',
    '! rm a',
    'time rm a',
    'cat <<E\na\nE',
    'cat <<< a',
    'a <(b)',
    'rm a > ',
    'rm "a',
    "cat <<'E'\nb",
    'cd - && rm a',
    'eval rm a',
    'ls | xargs rm',
    'find . -exec rm a +',
    'find . -delete',
    'echo a | sh',
    'python3 - x',
    'bash -s x',
    'sh /dev/stdin',
    'alias r=rm',
    'git -c alias.p=push p',
    'set -k',
    'export PATH=x',
    '=rm a',
    'command cd a',
  ])('%j', (line) => expect(acts(line)).toEqual([{ is: 'text', text: line, folder: '', runs: true }]));

  it('but a commit message is a word, as agents are told to write it', () => {
    const line = `git commit -m "$(cat <<'EOF'\n1) Don't \`rm a\`; $(b)\nEOF\n)"`;
    expect(acts(line)).toMatchObject([{ is: 'run', verb: 'git commit', reads: true }]);
    for (const body of ['EOF\nrm a', 'x\nEOF\nrm a', 'x\n'])
      expect(acts(`git commit -m "$(cat <<'EOF'\n${body}\nEOF\n)"`)).toMatchObject([{ is: 'text' }]);
  });
});

describe("what is a person's to say", () => {
  const persons = (line: string) =>
    acts(line).flatMap((act) => (act.is === 'run' ? [personsCommand(act.verb, act.args)?.command] : []));

  it.each([
    'dacapo trust',
    'dacapo approve X',
    'dacapo hooks add x',
    'dacapo resume X --accept-changes',
    'dacapo --json trust',
    'dacapo hooks --json remove x',
  ])('%s', (line) => {
    expect(persons(line)).toEqual([line]);
    expect(persons(`sudo ./node_modules/.bin/${line}`)).toEqual([line]);
    expect(persons(line.replace('dacapo', 'npx dacapo@latest'))).toEqual([line]);
  });

  it.each([
    'dacapo',
    'dacapo hooks test add',
    'dacapo resume X',
    'dacapo status trust',
    'mydacapo trust',
    'git trust',
  ])('%s is not', (line) => expect(persons(line)).toEqual([undefined]));
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actsOf } from '../../src/guard/shell-acts.ts';
import { cpuMs } from '../cpu.ts';

/** What a line writes, as `how path`, with the folder that it has gone to. */
function written(line: string): string[] {
  const variables = new Map([
    ['HOME', '/home/me'],
    ['DACAPO_HOME', '/state'],
    ['PWD', '/p'],
  ]);
  return actsOf(line, variables).map((act) =>
    act.is === 'command'
      ? `command ${act.command}`
      : `${act.how} ${[...act.within, act.word.text].join(' > ')}`,
  );
}

describe('what a line of shell plainly writes', () => {
  it.each([
    ['echo x > tests/a', 'write tests/a'],
    ['echo x>>tests/a', 'append tests/a'],
    ['npm test &>> out.txt', 'append out.txt'],
    ['echo x >> a > b', 'write b'],
    ['npm test 2>&1 >| out.txt', 'write out.txt'],
    ['npm test &> out.txt', 'write out.txt'],
    ['echo x 2> "a b"', 'write a b'],
    ['cat x | tee -a tests/a', 'append tests/a'],
    ['cat x | tee --append tests/a', 'append tests/a'],
    ['cat x | tee tests/a', 'write tests/a'],
    ['rm -rf tests', 'remove tests'],
    ['sudo rm tests/a', 'remove tests/a'],
    ['A=1 env B=2 rm tests/a', 'remove tests/a'],
    ['cp evil.ts tests/a.ts', 'write tests/a.ts'],
    ['cp evil.ts tests/', 'write tests//evil.ts'],
    ['cp -t tests evil.ts', 'write tests/evil.ts'],
    ['mv tests/a /tmp', 'remove tests/a'],
    ["sed -i 's/a/b/' tests/a", 'write tests/a'],
    ['sed -Ei.bak s/a/b/ tests/a', 'write tests/a'],
    ['sed --in-place s/a/b/ tests/a', 'write tests/a'],
    ["perl -pi -e 's/a/b/' tests/a", 'write tests/a'],
    ['truncate -s 0 tests/a', 'write tests/a'],
    ['dd if=/dev/null of=tests/a', 'write tests/a'],
    ['ln -sf evil tests/a', 'write tests/a'],
    ['chmod 000 tests/a', 'write tests/a'],
    ['touch tests/a', 'write tests/a'],
    ['git checkout main -- tests/a', 'restore tests/a'],
    ['git -C sub restore tests/a', 'restore sub > tests/a'],
    ['git rm tests/a', 'remove tests/a'],
    ['git stash push -- tests/a', 'restore tests/a'],
    ['curl -o tests/a http://x', 'write tests/a'],
    ['rm ~/x', 'remove /home/me/x'],
    ['rm "$DACAPO_HOME/hook.log"', 'remove /state/hook.log'],
    ['rm ${DACAPO_HOME}/hook.log', 'remove /state/hook.log'],
    ['F=tests/a; rm $F', 'remove tests/a'],
    ['cd tests && rm a', 'remove tests > a'],
    ['bash -c "rm tests/a"', 'remove tests/a'],
    ["eval 'rm tests/a'", 'remove tests/a'],
    ['echo $(rm tests/a)', 'remove tests/a'],
    ['echo "`rm tests/a`"', 'remove tests/a'],
    ['if true; then rm tests/a; fi', 'remove tests/a'],
    ['ls tests/a | xargs rm', 'write tests/a'],
    ['find tests -name a -delete', 'write tests/**/a'],
    ['find tests -exec rm {} +', 'write tests'],
    [`node -e "require('fs').writeFileSync('tests/a','')"`, 'write tests/a'],
    [`python3 -c "open('tests/a','w')"`, 'write tests/a'],
    [`node -e 'fs.rmSync(process.env.DACAPO_HOME)'`, 'write /state'],
    ["python3 - <<'EOF'\nopen('tests/a', 'w').write('')\nEOF", 'write tests/a'],
    ['bash <<EOF\nrm tests/a\nEOF', 'remove tests/a'],
    ['cat > tests/a <<EOF\nrm other\nEOF\n', 'write tests/a'],
    ['cat <<A > tests/a\nx\nA\nrm tests/b', 'remove tests/b'],
    ['rm \\\n tests/a', 'remove tests/a'],
    ['dacapo trust', 'command dacapo trust'],
    ['npx -y dacapo approve X', 'command dacapo approve X'],
    ['CLAUDECODE= dacapo resume --accept-changes', 'command dacapo resume --accept-changes'],
  ])('%s', (line, act) => expect(written(line)).toContain(act));

  it.each([
    'cat tests/a',
    'grep -n foo tests/a | head',
    'ls -la tests',
    'npm test -- tests/a',
    'diff tests/a tests/b 2>/dev/null',
    'sed -n 1,10p tests/a',
    'echo "rm tests/a"',
    "echo 'x > tests/a'",
    '# rm tests/a',
    'cp tests/a /tmp/copy',
    'git diff tests/a',
    'git log -- tests/a',
    'python3 -c "print(open(\'tests/a\').read())"',
    "node -e \"console.log(require('fs').readFileSync('tests/a','utf8'))\"",
    `node -e "process.stdout.write(fs.readFileSync('tests/a','utf8').split('x').map(y => y).join())"`,
    `python3 -c "a=[]; a.append(open('tests/a').read())"`,
    'dacapo cancel',
    'dacapo status',
    'cat <<EOF\nrm tests/a\nEOF',
    'npm test < tests/a',
  ])('%s writes nothing there', (line) =>
    expect(written(line).filter((act) => act.includes('tests/a'))).toEqual([]),
  );

  it('never fails and never takes long, whatever the line', async () => {
    const unit = fc.constantFrom(...'ab \'"`$(){}<>|&;\\\n~*#=-./'.split(''), '<<', 'rm ', 'git ', 'xargs ');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (line) => void written(line)),
      { numRuns: 3_000 },
    );
    const again = [
      '$(',
      '(',
      '`',
      '<(',
      'eval ',
      'sudo ',
      'cd a;',
      '"$(',
      'A=$A$A;A=xx$A;',
      'find -exec ',
      'xargs -I ',
      'sh -c ',
    ];
    const [most, braces] = [128 * 1024, '{a,{'];
    const took = await cpuMs(() => {
      expect(written(`rm ${braces.repeat(most)}`)).toHaveLength(1);
      expect(written(`rm {${','.repeat(most)}}`)).toHaveLength(1);
      expect(written(`mv ${'/'.repeat(most - 10)}x y`)).toHaveLength(3);
      expect(written(`A=${'b'.repeat(4_000)}; ${'$A'.repeat(most)}`)).toEqual([]);
      expect(written('cd a;'.repeat(most))).toEqual([]);
      expect(written(`cat b ${'|xargs rm'.repeat(most)}`)).toEqual(['write b']);
      expect(written(nestedDocuments(20))).toEqual(['remove x']);
      expect(written(`python3 -c "${'open(,'.repeat(200_000)}"`)).toEqual([]);
      for (const piece of again) expect(written(piece.repeat(2_000))).toEqual([]);
    });
    expect(took).toBeLessThan(5_000);
  });
});

/** Each line is given to the shell that the one around it starts for what it is handed. */
function nestedDocuments(depth: number): string {
  return depth === 0 ? 'rm x\n' : `xargs bash <<E${depth}\n${nestedDocuments(depth - 1)}E${depth}\n`;
}

/** All of what a line writes: with what is below it (`/…`), and what the shell would expand (`[pattern]`). */
function allWritten(line: string, variables: Record<string, string> = { HOME: '/home/me' }): string[] {
  return actsOf(line, new Map(Object.entries(variables))).map((act) => {
    if (act.is === 'command') return act.command;
    const path = [...act.within, act.word.text].join(' > ');
    return `${act.how} ${act.word.wild ? `[${path}]` : path}${act.tree ? '/…' : ''}`;
  });
}

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
    ['rm tests/{a,b}.ts', ['remove tests/a.ts/…', 'remove tests/b.ts/…']],
    ['rm {a,*}', ['remove a/…', 'remove [*]/…']],
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
    ['cd x && git -C sub rm a', ['remove x > sub > a/…']],
    ['tar -C sub rm a', []],
    ['rm -C sub', ['remove sub/…']],
    ['git -C', []],
    ['git', []],
    ['git add a', []],
    ['git commit -m rm a', []],
  ])('%s', (line, acts) => expect(allWritten(line)).toEqual(acts));
});

describe('find and xargs', () => {
  it.each([
    ['find a b -delete', ['write a/…', 'write b/…']],
    ['find -delete', ['write ./…']],
    ['find a -type f -exec rm {} +', ['write a/…']],
    ['find a -exec /bin/rm {} \\;', ['write a/…']],
    ['find a -execdir rm {} \\;', ['write a/…']],
    ['find a -ok rm {} \\;', ['write a/…']],
    ['find a -exec sed -i s/a/b/ {} +', ['write s/a/b/', 'write a/…']],
    ['find a -exec perl -pi -e s/a/b/ {} +', ['write s/a/b/', 'write a/…']],
    ['find a -okdir rm {} \\;', ['write a/…']],
    ['find a -exec sudo rm {} +', ['write a/…']],
    ['find a -exec grep -q x {} \\; -exec rm {} \\;', ['write a/…']],
    ['find a -exec grep -q x {} + -exec sed -n p {} +', []],
    ['find a -exec chmod +x {} \\;', ['write +x', 'write a/…']],
    ['find a -exec mv {} b \\;', ['write b', 'write a/…']],
    ['find a -exec mv {} {}.bak \\;', ['write a/…']],
    // What is copied elsewhere stays as it is.
    ['find a -exec cp {} b \\;', ['write b']],
    ['find a -exec cp x {} \\;', ['write a/…']],
    ['find a -exec git rm {} \\;', ['write a/…']],
    ['find a -exec git checkout -- {} \\;', ['write a/…']],
    ["find a -exec sh -c 'rm {}' \\;", ['write a/…']],
    ['find a -exec sh -c \'rm "$1"\' _ {} \\;', ['write a/…']],
    ["find a -exec bash -c 'echo > $0' {} \\;", ['write a/…']],
    ['find a -exec sh -c \'rm "$@"\' _ {} +', ['write a/…']],
    ["find a -exec sh -c 'rm $*' _ {} +", ['write a/…']],
    [
      'find a -exec sh -c \'for f in "$@"; do sed -i s/a/b/ "$f"; done\' _ {} +',
      ['write s/a/b/', 'write a/…'],
    ],
    ['find a -exec sh -c \'for f; do rm "$f"; done\' _ {} +', ['write a/…']],
    ['find a -exec sh -c \'for f do rm "$f"; done\' _ {} +', []],
    ['find a -exec sh -c \'wc -l "$1" > b; cat {}\' _ {} \\;', ['write b']],
    ["find a -exec sh -c 'rm b' \\;", ['remove b/…']],
    ["find a -exec sh -c 'dacapo trust' \\;", ['dacapo trust']],
    ['find a -exec find b -exec rm {} + \\;', ['write b/…']],
    ['find a -fprint b -fls c', ['write b', 'write c']],
    ['find a -exec sed -n p {} +', []],
    ['find a -exec perl -ne 1 {} +', []],
    ['find a -exec grep -i x {} +', []],
    ['find a -exec', []],
    ['find rm a', []],
    ['find x rm a', []],
    ['find a-b c! -delete', ['write a-b/…', 'write c!/…']],
    ['find a | xargs rm', ['write a/…']],
    ['find a-delete b-exec rm', []],
    ['find a -name rm', []],
    ["find . -name '*.pyc' -delete", ['write [./**/*.pyc]/…']],
    [
      "find a b \\( -name 'x*' -o -name y \\) -delete",
      ['write [a/**/x*]/…', 'write [b/**/x*]/…', 'write [a/**/y]/…', 'write [b/**/y]/…'],
    ],
    ["find a -iname '*.pyc' -delete", ['write [a/**/*.pyc]/…']],
    ["find . -name x -not -path './b/*' -delete", ['write [./**/x]/…']],
    ['find . ! -name y -name x -delete', ['write [./**/x]/…']],
    ["find . -path './b/*' -delete", ['write ./b/…']],
    ["find . -wholename './b/c?/d' -delete", ['write ./b/…']],
    ["find . -path './b/c' -delete", ['write ./b/c/…']],
    ["find a -path '*/b/*' -delete", ['write a/…']],
    ["find a -path 'b*' -delete", ['write a/…']],
    ['find a -name x -or -type f -delete', ['write a/…']],
    ['find a -name x , -type f -delete', ['write a/…']],
    ['find a ! \\( -name x \\) -name y -delete', ['write a/…']],
    // Where it looks for more than names, all may be meant.
    ['find a -name x -prune -o -type f -delete', ['write a/…']],
    ['find a ! -name x -delete', ['write a/…']],
    ['find a -not -name x -delete', ['write a/…']],
    ['find a (-name x) -delete', []],
    ['ls a b | xargs rm', ['write a/…', 'write b/…']],
    ['ls a |& xargs rm -f', ['write a/…']],
    ['ls a | sort | xargs -0 sed -i s/a/b/', ['write s/a/b/', 'write a/…']],
    ['ls a | xargs perl -pi -e s/a/b/', ['write s/a/b/', 'write a/…']],
    ['ls a | xargs -I {} cp x {}', ['write {}', 'write {}/x', 'write a/…']],
    ["ls a | xargs -d '\\n' -n 1 rm", ['write a/…']],
    ['ls a | xargs sh -c \'rm "$@"\' _', ['remove $@/…', 'write a/…']],
    ['ls a | xargs -n1 sh -c \'rm "$0"\'', ['remove $0/…', 'write a/…']],
    ["ls a | xargs -I {} sh -c 'rm {}'", ['remove {}/…', 'write a/…']],
    ["ls a | xargs -I% sh -c 'rm %'", ['remove %/…', 'write a/…']],
    ['ls a | xargs -I % rm %', ['remove %/…', 'write a/…']],
    ['ls a | xargs -i rm {}', ['remove {}/…', 'write a/…']],
    ['ls a | xargs --replace rm {}', ['remove {}/…', 'write a/…']],
    ['ls a | xargs --replace=% rm %', ['remove %/…', 'write a/…']],
    ['ls a | xargs -I % cp % b', ['write b', 'write b/%']],
    ['ls a | xargs cp -t b', ['write b']],
    ['ls a | xargs mv -t b', ['write b', 'write a/…']],
    ['ls a | xargs git checkout --', ['write a/…']],
    ['ls a | xargs sh -c \'cat "$@"\' _', []],
    ['ls a | xargs sh -c \'wc "$@" > b\' _', ['write b']],
    ["find . -name '*.pyc' | xargs rm", ['write [./**/*.pyc]/…']],
    ["sudo find . -name '*.pyc' | xargs rm", ['write [./**/*.pyc]/…']],
    ['ls a | xargs cat', []],
    ['ls a | sudo rm b', ['remove b/…']],
    ['> x | xargs rm', ['write x']],
    ['ls a | xargs sed -n p', []],
    ['ls a || xargs rm', []],
    ['ls a; xargs rm', []],
    ['ls a | rm', []],
    ['ls a | cat; ls b | xargs rm', ['write b/…']],
  ])('%s', (line, acts) => expect(allWritten(line)).toEqual(acts));
});

describe('a patch', () => {
  const patch = [
    'diff --git a/tests/a b/tests/a',
    '--- a/tests/a',
    '+++ b/tests/a\t2026-01-01 00:00',
    '@@ -1,2 +1,2 @@',
    '--- not/a/name',
    '+x',
    '',
  ].join('\n');
  const made = '--- /dev/null\n+++ b/tests/new\n@@ -0,0 +1 @@\n+x\n';
  const moved = 'diff --git a/tests/a b/b\nrename from tests/a\nrename to b\n';
  const given = (command: string, text = patch) => allWritten(`${command} <<'X'\n${text}X`);

  it.each([
    ['git apply', patch, ['write tests/a']],
    ['git apply -', patch, ['write tests/a']],
    ['git apply', made, ['write tests/new']],
    ['git apply', moved, ['write tests/a', 'write b']],
    ['git apply -p0', patch, ['write a/tests/a', 'write b/tests/a']],
    ['git apply -p 2', patch, ['write a']],
    ['git apply --directory=sub', patch, ['write sub/tests/a']],
    ['git apply --stat --apply', patch, ['write tests/a']],
    ['git am', patch, ['write tests/a']],
    ['git -C sub apply', patch, ['write sub > tests/a']],
    ['patch -p1', patch, ['write tests/a']],
    ['patch --strip=1', patch, ['write tests/a']],
    ['patch --strip 1', patch, ['write tests/a']],
    ['patch', patch, ['write a']],
    ['patch -p1 -d sub', patch, ['write sub/tests/a']],
    ['patch -p1 --directory=sub', patch, ['write sub/tests/a']],
    ['patch b', patch, ['write b']],
  ])('%s tells what it changes where it stands in the line', (command, text, acts) =>
    expect(given(command, text)).toEqual(acts),
  );

  it('comes through a pipe as well', () => {
    expect(allWritten(`cat <<'X' | git apply\n${patch}X`)).toEqual(['write tests/a']);
  });

  it.each(['git apply --check', 'git apply --stat', 'git apply --cached', 'patch -p1 --dry-run', 'cat'])(
    '%s changes nothing',
    (command) => expect(given(command)).toEqual([]),
  );

  it.each([
    ['git apply fix.diff', []],
    ['git am 0001-fix.patch', []],
    ['git am --abort', []],
    ['patch -p1 < fix.diff', []],
    ['patch -p1 -i tests/fix.diff', []],
    ['patch a tests/fix.diff', ['write a']],
    ['patch -o b a fix.diff', ['write a', 'write b']],
    ['patch --output=b a', ['write a', 'write b']],
  ])('%s: what stands in a file is not looked into', (line, acts) => expect(allWritten(line)).toEqual(acts));
});

describe('what stands in front of a command', () => {
  it.each([
    'sudo rm a',
    'sudo -u me -g us rm a',
    'env -i A=1 rm a',
    'env -u A rm a',
    'exec -a name rm a',
    'A=1 B= rm a',
    'nice -n 10 rm a',
    'timeout 5 rm a',
    'timeout 90s rm a',
    'timeout --foreground 2h rm a',
    'nohup stdbuf -oL rm a',
    '/usr/bin/time -p rm a',
    'command rm a',
    '! rm a',
    '{ rm a; }',
    'while rm a; do true; done',
    'until false; do rm a; done',
    'if false; then true; else rm a; fi',
    'npm exec -- rm a',
    'bun x rm a',
  ])('%s', (line) => expect(allWritten(line)).toEqual(['remove a/…']));

  it.each([
    '5 rm a',
    '-x rm a',
    'x=1y/z= rm-a a',
    'npm rm a',
    'npm',
    'echo rm a',
    'sudo 5x rm a',
    'sudo a5 rm a',
    'sudo a-b rm a',
    'sudo ./A=1 rm a',
    'a-b rm a',
  ])('%s is no `rm`', (line) => expect(allWritten(line)).toEqual([]));
});

describe('where a line has gone', () => {
  it.each([
    ['cd a; rm b', ['remove a > b/…']],
    ['cd a/ && cd ../b || exit\nrm c', ['remove a/ > ../b > c/…']],
    ['cd -P a && rm b', ['remove a > b/…']],
    ['cd a- && rm b', ['remove a- > b/…']],
    ['cd && rm b', ['remove /home/me > b/…']],
    ['cd ~ && rm b', ['remove /home/me > b/…']],
    ['cd a && cd - && rm b', ['remove b/…']],
    ['pushd a; popd; rm b', ['remove b/…']],
    ['pushd a; rm b', ['remove a > b/…']],
    ['cd a > log; rm b', ['write log', 'remove a > b/…']],
    ['(cd a && rm b); rm c', ['remove a > b/…', 'remove c/…']],
    ['(cd a); (rm b)', ['remove b/…']],
    [
      'cd x; (cd a; (cd b; rm c); rm d); rm e',
      ['remove x > a > b > c/…', 'remove x > a > d/…', 'remove x > e/…'],
    ],
    ['(rm a; cd b; rm c)', ['remove a/…', 'remove b > c/…']],
    ['D=$(cd a && pwd); rm b', ['remove b/…']],
    ['D=`cd a && pwd`; rm b', ['remove b/…']],
    ['cat <(cd a; rm b); rm c', ['remove a > b/…', 'remove c/…']],
    ['cd a; bash -c "cd b; rm c"; rm d', ['remove a > b > c/…', 'remove a > d/…']],
    ['cd a; ls x | xargs rm', ['write a > x/…']],
    [')) cd a; rm b', ['remove a > b/…']],
  ])('%s', (line, acts) => expect(allWritten(line)).toEqual(acts));

  it('is home, whatever that is, where nobody knows it', () => {
    expect(allWritten('cd; rm ~/a', {})).toEqual(['remove ~ > ~/a/…']);
  });
});

describe('lines within a line', () => {
  it.each([
    ['bash -lc "rm a"', ['remove a/…']],
    ['/bin/sh -c "rm a"', ['remove a/…']],
    ['bash -ce "rm a"', ['remove a/…']],
    ['bash -c', []],
    ['bash x-c "rm a"', []],
    ['bash --rcfile x "rm a"', []],
    ['bash script.sh rm a', []],
    ['bash -c \'rm "$1" ${2} $3\' _ a b', ['remove a/…', 'remove b/…', 'remove $3/…']],
    ['bash -c \'rm "$@"\' _ a b', ['remove a/…', 'remove b/…']],
    ["bash -c 'rm ${*}' _ a", ['remove a/…']],
    ["bash -c 'rm $@'", ['remove $@/…']],
    ["bash -c 'for f; do rm $f; done' _ a b", ['remove a/…', 'remove b/…']],
    ["bash -c 'A=a' ; rm $A", ['remove $A/…']],
    ['eval rm "a"', ['remove a/…']],
    ['eval eval rm a', ['remove a/…']],
    ["bash <<'X'\nrm a\nX", ['remove a/…']],
    ['bash <<< "rm a"', ['remove a/…']],
    ["cat <<'X' | bash\nrm a\nX", ['remove a/…']],
    ["echo 'rm a' | sh", ['remove a/…']],
    ["printf 'rm a\nrm b' | sh", ['remove a/…', 'remove b/…']],
    ['echo rm a | sh', ['remove a/…']],
    ["{ echo 'rm a' | sh; }", ['remove a/…']],
    ["grep 'rm a' | sh", []],
    ["echo 'rm a'; sh", []],
    ["echo 'rm a' || sh", []],
    ['cat > x <<A; bash <<B\nrm a\nA\nrm b\nB\nrm c', ['write x', 'remove b/…', 'remove c/…']],
  ])('%s', (line, acts) => expect(allWritten(line)).toEqual(acts));
});

describe('a one-liner of another language', () => {
  const tests = (line: string, variables?: Record<string, string>): boolean =>
    allWritten(line, variables).includes('write tests/a');

  it.each([
    `python3.12 -c "from pathlib import Path; Path('tests/a').write_text('')"`,
    `python -Bc "open('tests/a', 'a')"`,
    `node --eval "fs.appendFileSync('tests/a', 'x')"`,
    `node --print "fs.unlinkSync('tests/a')"`,
    `node -p "fs.renameSync('b', 'tests/a')"`,
    `deno eval "Deno.writeTextFileSync('tests/a', '')"`,
    `php -r "unlink('tests/a');"`,
    `ruby -e "File.write('tests/a', '')"`,
    `perl -e "unlink 'tests/a'"`,
    `perl -e 'unlink shift' tests/a`,
    `node -e "require('child_process').exec('rm tests/a')"`,
    `node -e "execSync('rm tests/a')"`,
    `python3 -c "import os; os.system('rm tests/a')"`,
    `node -e 'fs.rmSync(process.argv[1])' tests/a`,
    "node <<'X'\nfs.writeFileSync(`tests/a`, '')\nX",
    "cat <<'X' | python3 -\nopen('tests/a', 'w')\nX",
  ])('%s writes', (line) => expect(tests(line)).toBe(true));

  it.each([
    `node -e "console.log(/x/.exec(fs.readFileSync('tests/a', 'utf8')))"`,
    `python3 -c "print(len(open('tests/a').read()))"`,
    `node write.js tests/a`,
    `node x-e "write tests/a"`,
    `node -env "write" tests/a`,
    `ghc -e "writeFile 'tests/a'"`,
    `mynode -e "write('tests/a')"`,
    `nodemon -e "write tests/a"`,
  ])('%s does not', (line) => expect(tests(line)).toBe(false));

  it("names Da Capo's folder by its variable", () => {
    const home = { DACAPO_HOME: '/state' };
    expect(allWritten('node -e "fs.rmSync(process.env.DACAPO_HOME)"', home)).toContain('write /state');
    expect(allWritten(`python3 -c "shutil.rmtree(env['DACAPO_HOME'])"`, home)).toContain('write /state');
    expect(allWritten('node -e "fs.rmSync(MY_DACAPO_HOME, DACAPO_HOMES)"', home)).toEqual([
      'write fs.rmSync',
      'write MY_DACAPO_HOME',
      'write DACAPO_HOMES',
    ]);
    expect(allWritten('node -e "fs.rmSync(DACAPO_HOME)"', {})).toContain('write DACAPO_HOME');
  });
});

describe("what is a person's to say", () => {
  it.each([
    'dacapo trust',
    'dacapo approve X',
    'dacapo reject X',
    'dacapo answer X yes',
    'dacapo hooks add x',
    'dacapo hooks enable x',
    'dacapo hooks disable x',
    'dacapo hooks remove x',
    'dacapo resume X --accept-changes',
    'dacapo --json trust',
    'dacapo hooks --json add x',
  ])('%s', (line) => {
    expect(allWritten(line)).toEqual([line]);
    expect(allWritten(`true && sudo ./node_modules/.bin/${line}`)).toEqual([line]);
    expect(allWritten(line.replace('dacapo', 'npx dacapo@latest'))).toEqual([line]);
    expect(allWritten(line.replace('dacapo', 'pnpm dlx dacapo'))).toEqual([line]);
  });

  it.each([
    'dacapo',
    'dacapo hooks',
    'dacapo hooks list',
    'dacapo hooks test add',
    'dacapo resume X',
    'dacapo status --accept-changes',
    'dacapo show add',
    'dacapo status trust',
    'echo dacapo trust',
    'mydacapo trust',
    'dacapos trust',
    'git trust',
  ])('%s is not', (line) => expect(allWritten(line)).toEqual([]));
});

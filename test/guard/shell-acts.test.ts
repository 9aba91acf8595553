import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actsOf } from '../../src/guard/shell-acts.ts';
import { cpuMs } from '../cpu.ts';

const VARIABLES = { HOME: '/home/me', DACAPO_HOME: '/state', PWD: '/p' };

/** What a line writes, as `how path`, with the folder that it has gone to. */
function written(line: string): string[] {
  return actsOf(line, new Map(Object.entries(VARIABLES))).flatMap((act) => {
    if (act.is === 'command') return [`command ${act.command}`];
    return act.is === 'write' ? [`${act.how} ${placed(act.folder, act.word.text)}`] : [];
  });
}

function placed(folder: string, path: string): string {
  return folder === '' ? path : `${folder} > ${path}`;
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
    ['echo $(rm tests/a)', 'remove tests/a'],
    ['echo "`rm tests/a`"', 'remove tests/a'],
    ['if true; then rm tests/a; fi', 'remove tests/a'],
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
      expect(written(`cat b ${'|xargs rm'.repeat(most)}`)).toEqual([]);
      expect(written(`A=${'b'.repeat(4_000)}; ${'$A '.repeat(most)}`)).toEqual([]);
      expect(written('${'.repeat(most))).toEqual([]);
      expect(written('cd a;rm b;'.repeat(most)).length).toBeGreaterThan(1_000);
      expect(written(`python3 -c "${'open(,'.repeat(200_000)}"`)).toEqual([]);
      for (const piece of again) expect(written(piece.repeat(2_000))).toEqual([]);
    });
    expect(took).toBeLessThan(5_000);
  });
});

/** All of what a line writes: with what is below it (`/…`), and what the shell would expand (`[pattern]`). */
function allWritten(line: string, variables: Record<string, string> = { HOME: '/home/me' }): string[] {
  return actsOf(line, new Map(Object.entries(variables))).flatMap((act) => {
    if (act.is === 'command') return [act.command];
    if (act.is !== 'write') return [];
    const path = placed(act.folder, act.word.text);
    return [`${act.how} ${act.word.wild ? `[${path}]` : path}${act.tree ? '/…' : ''}`];
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
    'env -i A=1 rm a',
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
    ['cd a/ && cd ../b || exit\nrm c', ['remove a//../b > c/…']],
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
    ['cd x; (cd a; (cd b; rm c); rm d); rm e', ['remove x/a/b > c/…', 'remove x/a > d/…', 'remove x > e/…']],
    ['(rm a; cd b; rm c)', ['remove a/…', 'remove b > c/…']],
    ['D=$(cd a && pwd); rm b', ['remove b/…']],
    ['D=`cd a && pwd`; rm b', ['remove b/…']],
    ['cat <(cd a; rm b); rm c', ['remove a > b/…', 'remove c/…']],
    [')) cd a; rm b', ['remove a > b/…']],
  ])('%s', (line, acts) => expect(allWritten(line)).toEqual(acts));

  it('is home, whatever that is, where nobody knows it', () => {
    expect(allWritten('cd; rm ~/a', {})).toEqual(['remove ~ > ~/a/…']);
  });
});

describe('what a program that may do more than read is given', () => {
  const handled = (line: string): string[] =>
    actsOf(line, new Map(Object.entries(VARIABLES))).flatMap((act) =>
      act.is === 'handle' ? [placed(act.folder, act.text)] : [],
    );

  it.each([
    ['prettier --write a "b c"', ['--write', 'a', '.']],
    ['cd a && make b', ['a > b', 'a > .']],
    ['sh -c "rm a"', ['-c', 'rm a', '.']],
    ["python3 - <<'X'\nopen('a')\nX", ['-', "open('a')\n", '.']],
    ["node -e 'process.env.DACAPO_HOME'", ['-e', 'process.env./state', '.']],
    ['ls a | sort | xargs rm', ['a', 'rm', '.']],
    ['(ls a) | xargs rm', ['ls a)\n', 'rm', '.']],
    ['ls a; xargs rm', ['rm', '.']],
    ['find a -exec rm {} +', ['a', '-exec', 'rm', '{}', '+', '.']],
    ['find a -delete', ['a', '-delete', '.']],
    ['rm $(ls a)', ['ls a)\n']],
    ['tee a <<X\nb\nX', []],
    ['rm a', []],
    ['find a -name b', []],
    ['cat a | jq .b', []],
    ['git commit -m a', []],
    ['git config a', ['a', '.']],
    ['dacapo status a', []],
    ['sudo cat a', []],
    ['A=b', []],
  ])('%s', (line, texts) => expect(handled(line)).toEqual(texts));
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

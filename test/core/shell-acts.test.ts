import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actsOf } from '../../src/core/shell-acts.ts';

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
    ['git stash push -- tests/a', 'write tests/a'],
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
    ['find tests -name a -delete', 'write tests'],
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

  it('never fails, whatever the line', () => {
    const unit = fc.constantFrom(...'ab \'"`$(){}<>|&;\\\n~*#=-./'.split(''), '<<', 'rm ', 'git ', 'xargs ');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (line) => void written(line)),
      { numRuns: 3_000 },
    );
    expect(written('$('.repeat(1_000)).length).toBeLessThan(10);
  });
});

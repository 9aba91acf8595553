/** `dacapo completion SHELL`: a script that asks `dacapo completion words` what may stand at the cursor. */
import type { CommandCall, Command } from '../command.ts';
import { EXIT, printLines, verbatim, failUsage } from '../terminal/terminal.ts';
import { completeWord, type CompletedCommand, type CompletedValues } from './complete-word.ts';
import { HOST_NAMES } from '#hosts/tables/names.ts';
import { shownFlags } from '#input/command-table.ts';
import type { Flag } from '#input/flag.ts';
import { VIEW_KINDS } from '#input/values.ts';

/** What the scripts call. `--`: what follows is what the person typed, up to the cursor. */
const COMPLETION_COMMAND = 'dacapo completion words --';

const SCRIPTS = {
  bash: `# Completion of dacapo for bash. In ~/.bashrc: eval "$(dacapo completion bash)"
_dacapo() {
  local IFS=$'\\n'
  COMPREPLY=($(${COMPLETION_COMMAND} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _dacapo dacapo`,
  zsh: `#compdef dacapo
# Completion of dacapo for zsh. In ~/.zshrc, behind compinit: eval "$(dacapo completion zsh)"
_dacapo() {
  local -a found
  found=("\${(@f)$(${COMPLETION_COMMAND} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z $found[1] ]]; then _files; return; fi
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  _describe 'dacapo' found
}
compdef _dacapo dacapo`,
  fish: `# Completion of dacapo for fish. In ~/.config/fish/config.fish: dacapo completion fish | source
function __dacapo_words
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l found (${COMPLETION_COMMAND} $typed[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c dacapo -f -a '(__dacapo_words)'`,
  powershell: `# Completion of dacapo for PowerShell 7.3 or later. In $PROFILE: dacapo completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName dacapo -ScriptBlock {
  param($current, $line, $cursor)
  $typed = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($current -eq '') { $typed += '' }
  ${COMPLETION_COMMAND} @typed 2>$null | ForEach-Object {
    $word, $help = $_ -split "\`t", 2
    $tip = if ($help) { $help } else { $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $tip)
  }
}`,
} as const;

const SHELLS = Object.keys(SCRIPTS);

export async function runCompletion(
  shell: string | undefined,
  { words, commands, runtime }: CommandCall,
): Promise<number> {
  if (shell === 'words') {
    const typed = words.slice(words.indexOf('--') + 1);
    const ids = () => runtime.store.loops().map(({ id }) => id);
    const found = completeWord(await Promise.all(commands.map(completed)), typed, ids);
    if (found.length > 0)
      printLines(...found.map(({ word, help }) => verbatim(help === undefined ? word : `${word}\t${help}`)));
    return EXIT.ok;
  }
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
  if (script === undefined)
    return failUsage(
      shell === undefined ? 'the shell is missing.' : `there is no completion for ${JSON.stringify(shell)}.`,
      'write bash, zsh, fish or powershell, as in: eval "$(dacapo completion bash)"',
    );
  printLines(verbatim(script));
  return EXIT.ok;
}

async function completed(command: Command): Promise<CompletedCommand> {
  const { name, summary, needs = {}, args = {}, inner } = command;
  return {
    name,
    help: summary,
    flags: shownFlags(command).map((flag) => ({ ...flag, values: valuesOf(flag) })),
    values: name === 'completion' ? SHELLS : takesLoop(name, { ...needs, ...args }) ? 'loops' : [],
    inner: inner === undefined ? null : await Promise.all((await inner()).map(completed)),
  };
}

/** The ids of a fleet are in its database, which no key press should ask. */
function takesLoop(name: string, args: object): boolean {
  return !name.startsWith('fleet ') && (Object.keys(args)[0]?.split('|').includes('id') ?? false);
}

/** From the usage of a flag: words in capitals stand for something, the others for themselves. */
function valuesOf({ value, oneOf }: Flag): CompletedValues | null {
  if (value === null) return null;
  if (oneOf !== undefined) return oneOf;
  if (value === 'ID') return 'loops';
  if (value === 'VIEW') return [...VIEW_KINDS, 'none'];
  if (value.startsWith('HOST')) return HOST_NAMES.map(({ name }) => name);
  // Where a file may stand, the shell knows better.
  const all = value.split('|');
  return all.includes('FILE') ? [] : all.filter((one) => /^[a-z-]+$/.test(one));
}

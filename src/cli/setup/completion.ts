/** `dacapo completion SHELL`: a script made from the parser's own tables. It calls `dacapo completion ids` for loop ids. */
import { flagsOf, type Call, type Command } from '../command.ts';
import { EXIT, say, verbatim, failUsage } from '../terminal/terminal.ts';
import { promptFlags } from '../terminal/help.ts';

type Completed = ReturnType<typeof completed>;

const SCRIPTS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export async function runCompletion(shell: string | undefined, { commands, runtime }: Call): Promise<number> {
  if (shell === 'ids') {
    const ids = runtime.store.loops().map(({ id }) => verbatim(id));
    if (ids.length > 0) say(...ids.toReversed());
    return EXIT.ok;
  }
  const script = SCRIPTS[shell ?? ''];
  if (script === undefined)
    return failUsage(
      shell === undefined ? 'no shell is named.' : `there is no completion for ${JSON.stringify(shell)}.`,
      'name bash, zsh or fish, as in: eval "$(dacapo completion bash)"',
    );
  say(verbatim(script(commands.map(completed))));
  return EXIT.ok;
}

function completed(command: Command) {
  const { name, summary, args = {} } = command;
  const own = flagsOf(command).map((flag) => ({ ...flag, flag: `--${flag.long}` }));
  const table = promptFlags(name).map((flag) => ({ ...flag, takesValue: flag.value !== null }));
  return {
    name,
    help: summary,
    flags: [...table, ...own, { flag: '--help', help: 'show what it takes', takesValue: false }],
    takesId: Object.keys(args)[0]?.split('|').includes('id') ?? false,
  };
}

const IDS = 'dacapo completion ids 2>/dev/null';

function bashScript(commands: readonly Completed[]): string {
  const flags = commands.map(
    ({ name, flags: all }) => `      ${name}) words='${all.map(({ flag }) => flag).join(' ')}' ;;`,
  );
  return `# Completion of dacapo for bash. In ~/.bashrc: eval "$(dacapo completion bash)"
_dacapo() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${names(commands).join(' ')} help'
  elif [ "\${COMP_WORDS[COMP_CWORD - 1]}" = --loop ]; then
    words=$(${IDS})
  elif [ "\${cur#-}" != "$cur" ]; then
    case \${COMP_WORDS[1]} in
${flags.join('\n')}
    esac
  else
    case \${COMP_WORDS[1]} in
      ${withId(commands).join('|')}) words=$(${IDS}) ;;
      help) words='${names(commands).join(' ')}' ;;
      completion) words='bash zsh fish' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _dacapo dacapo`;
}

function zshScript(commands: readonly Completed[]): string {
  const described = (all: readonly (readonly [string, string])[]) =>
    all.map(([word, help]) => quoted(`${word.replaceAll(':', '\\:')}:${help}`)).join(' ');
  const flags = commands.map(
    ({ name, flags: all }) =>
      `      ${name}) choices=(${described(all.map(({ flag, help }) => [flag, help] as const))}) ;;`,
  );
  return `#compdef dacapo
# Completion of dacapo for zsh. In ~/.zshrc, behind compinit: eval "$(dacapo completion zsh)"
_dacapo() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(${described(commands.map(({ name, help }) => [name, help] as const))})
    _describe 'command' choices
  elif [[ \${words[CURRENT-1]} == --loop ]]; then
    compadd -- \${(f)"$(${IDS})"}
  elif [[ \${words[CURRENT]} == -* ]]; then
    case \${words[2]} in
${flags.join('\n')}
    esac
    _describe 'flag' choices
  else
    case \${words[2]} in
      ${withId(commands).join('|')}) compadd -- \${(f)"$(${IDS})"} ;;
      completion) compadd -- bash zsh fish ;;
      *) _files ;;
    esac
  fi
}
compdef _dacapo dacapo`;
}

function fishScript(commands: readonly Completed[]): string {
  return [
    '# Completion of dacapo for fish. In ~/.config/fish/config.fish: dacapo completion fish | source',
    ...commands.map(
      ({ name, help }) => `complete -c dacapo -n __fish_use_subcommand -f -a ${name} -d ${quoted(help)}`,
    ),
    ...commands.flatMap(({ name, flags }) =>
      flags.map(
        ({ flag, help, takesValue }) =>
          `complete -c dacapo -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(help)}`,
      ),
    ),
    `complete -c dacapo -n '__fish_seen_subcommand_from ${withId(commands).join(' ')}' -f -a '(${IDS})'`,
    `complete -c dacapo -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'`,
  ].join('\n');
}

function names(commands: readonly Completed[]): string[] {
  return commands.map(({ name }) => name);
}

function withId(commands: readonly Completed[]): string[] {
  return names(commands.filter(({ takesId }) => takesId));
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", `'\\''`)}'`;
}

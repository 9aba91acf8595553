/** What the help says of each flag, under its heading. */
export const FLAG_HELP: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'The task:': {
    '--host': 'the coding agent that works',
    '--prompt-file': 'read the prompt from this file (- as the prompt: from stdin)',
    '--loop': 'continue this loop instead of starting one',
    '--name': 'a name for people',
  },
  'When it is done:': {
    '--check': 'done only when this command passes; may be given several times',
    '--held-out': 'a check that the agent never sees: it learns only that it fails; repeatable',
    '--completion-promise':
      'done when the agent says <promise>TEXT</promise> (default COMPLETE, if there is no other gate)',
    '--features':
      'done only when every item of this list passes (JSON or a checklist; FILE#Section: a part of it)',
    '--watch-file': 'done only when this file has arrived in the done folder',
    '--done-folder': 'where the watched file is expected',
    '--require': 'whether all gates have to hold, or any one of them (default all)',
    '--min-iterations': 'not done before N iterations',
    '--confirm': 'done only after N passes in a row that look for what is missing and change nothing',
    '--measure': 'tell the number that CMD prints, at the start and at each stop; repeatable',
    '--keep': 'done only while this measure is not below its value at the start; repeatable',
    '--target': 'done only when a measure reaches this: "failures<=0", "coverage>=80"; repeatable',
    '--review':
      'done only when an agent of this host approves the work; it is asked when all else holds; repeatable',
    '--rubric': 'a file that says what the reviewers have to look for; read at the start',
    '--max-reviews': 'ask you after so many objections in a row (default 3)',
    '--protect':
      'files that stay as they are, such as "tests/**"; may be given several times, with ! to take back',
    '--ground':
      'files that decide how the checks judge, beside the tests and configs that Da Capo knows; with ' +
      '! to take away',
    '--tests-may-change':
      'the task asks for other tests: done by changed tests counts, and is never called proven',
    '--red-first':
      'done only if a test fails without the work: the tests of now also run on the code of the start',
    '--config':
      'checks and stop hooks from this file (default dacapo.config.js, .mjs, .ts or .json), or none',
  },
  'Asking you:': {
    '--approve':
      'ask you before such calls: "shell(git push *)", "write(deploy/**)", or starter (push, deploy, ' +
      'pay …); repeatable',
    '--approve-done': 'done only when a person confirms it',
    '--approval-timeout': 'end the loop if nobody answers for this long (default 24h)',
    '--approval-policy': 'whether moving its file answers a request, or only a command does (default file)',
    '--approvals': 'keep the folders with requests and answers in DIR (default the vault, else .dacapo)',
  },
  'How checks run:': {
    '--check-timeout': 'how long one check may take (default 300s)',
    '--checks-timeout': 'time limit for all checks of a stop (default 540s; in a session also the maximum)',
    '--check-later': "start although a check can't be run yet, because the agent has to make it run",
    '--recheck': 'wait after a check that exits with 75, "not yet" (default 60s, then longer up to 5m)',
    '--clean': 'run every judged check in a clean copy of what git knows, not only the last one',
    '--setup':
      'prepare the clean copy for checks, and in a fleet each new work tree, with this command: "npm ci"',
    '--parallel': 'run up to N checks at once (default 1)',
  },
  'Limits:': {
    '--max-iterations': 'end after N iterations (default 50)',
    '--timeout': 'end after this much working time, such as 90s, 15m or 1h30m',
    '--max-cost': 'end when this much money is used, such as 5 or 2.50 (in a session: estimated from tokens)',
    '--max-tokens': 'end when this many tokens are used, such as 500k or 2m',
    '--max-stalls': 'end after N stops without progress (default 10)',
    '--stale-after': 'never revive a loop that was idle for longer (default 2h)',
    '--iteration-timeout': 'end an iteration after this long (default 1h)',
    '--silence-timeout': 'end an iteration in which nothing was heard for this long (default 20m)',
    '--max-calls-per-hour': 'begin at most N iterations in an hour',
  },
  'Lists and nesting:': {
    '--items': 'work off these items one by one: JSON, JSON lines, a Markdown checklist or plain lines',
    '--items-from': 'the same, for the items that this command prints as JSON lines or a JSON array',
    '--max-items': 'end after N items (default 100)',
    '--loops':
      'a loop, a branch and a work tree for each item, N at once; merge what is done, with the ' +
      'checks after each merge',
    '--as': 'which signals of the agent count (default loop; grind, where items are given)',
    '--nest': 'inside the running loop, which continues when this task is done',
  },
  'Sessions:': {
    '--mode': 'continue in the same session, or with a new agent process each time (default hook)',
    '--fresh': 'a new session for each iteration (the default)',
    '--fresh-every': 'a new session after N iterations, or after N features that came to pass',
    '--continue': 'one session for all iterations',
    '--compact-every': 'one session, whose context is made smaller after every N iterations',
    '--pause': 'between two iterations (default 1s; 0 for none)',
    '--no-notes': 'offer the agents no file for their notes to each other',
  },
  'The agent:': {
    '--model': 'for iterations whose feature names none',
    '--fallback-model': 'when the other one is overloaded',
    '--fallback-host': 'who carries on, in this order, when the host is at its usage limit',
    '--permission-mode':
      'what the agent may do without being asked; passed on to the host (default: edits, unless your ' +
      'settings name one)',
    '--allowed-tools': 'tools that need no permission, separated by commas; passed on to the host',
  },
  'Git:': {
    '--commit': 'one commit for each iteration, of what it changed',
    '--commit-all': 'the same, with what was not committed before',
    '--branch': 'work on this branch (created if needed)',
    '--worktree': 'in a separate work tree; yours stays as it is',
    '--worktree-setup':
      'prepare that work tree with this command before the first iteration, such as "npm ci"',
  },
  'In a fleet:': {
    '--repo': 'the repository, as the workers reach it',
    '--ref': 'the branch, tag or commit to begin with',
    '--needs': 'only for a worker with all these labels: linux,gpu',
    '--account': 'whose limits count (default: default)',
    '--points': 'where the work is kept, if the repository takes no refs of ours',
    '--priority': 'a higher number comes first (default 0)',
    '--database': 'the database of the fleet (default: DACAPO_FLEET, or that of the last init)',
  },
  'What is shown:': {
    '--notify': 'tell this one when the loop ends or needs you; may be given several times',
    '--view': 'show it as markdown (default), progress, vault, stack or none; may be given several times',
    '--vault': 'with the vault view in this folder (default AI_Employee_Vault)',
    '--dry-run': 'show what would happen, and start nothing; the checks run once',
    '--quiet': 'only iterations, warnings, faults, long waits and the ending',
    '--json': 'for programs',
  },
};

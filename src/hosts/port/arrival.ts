/**
 * The port to a host that runs by itself and calls our hook: what it reports to us, in our terms, and what we
 * answer. One adapter for each host, in a folder of its own, turns payloads into an `Arrival`, and an
 * `Answer` into what the host reads.
 */
import type { Used } from '#law/record/events.ts';
import type { Loop } from '#law/loop.ts';
import type { Escalation } from '#law/record/verdict.ts';
import type { Stop } from '#law/stop.ts';
import type { Commands } from '#telling/audience.ts';
import type { FatalKind } from './stream.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type HookPayload = Readonly<Record<string, unknown>>;

export interface Sender {
  readonly host: string;
  readonly limits: HostLimits;
  readonly session: string;
  readonly process: number | null;
  readonly project: string;
  /** The prompt that the session is working on, if the host reports it. */
  readonly prompt: string | null;
  readonly commands: Commands;
}

export type Arrival =
  | StopArrival
  | FaultArrival
  | { readonly is: 'session-start'; readonly from: Sender; readonly source: 'resume' | 'clear' | 'compact' }
  | { readonly is: 'session-end'; readonly from: Sender; readonly reason: string }
  | ToolArrival
  | PromptArrival
  | CommandArrival;

export interface PromptArrival {
  readonly is: 'prompt';
  readonly from: Sender;
  readonly text: string;
  /** False for a notice that the host sends to itself. */
  readonly person: boolean;
  /** Asked only if the prompt begins a loop. Absent: we know nothing about it. */
  readonly setup?: () => HostSetup;
}

export interface FaultArrival extends TurnFault {
  readonly is: 'fault';
  readonly from: Sender;
}

/** The host gave up on the model. `error`: the host's word for it. */
export interface TurnFault {
  readonly error: string;
  readonly detail: string;
  /** Set if no retry can fix it: a person has to act first. */
  readonly fatal: FatalKind | null;
  /** How a person gets a valid account there, as part of a sentence. */
  readonly login?: string;
}

export interface StopArrival extends Pick<
  Stop,
  'message' | 'background' | 'cap' | 'attended' | 'continuedByHook'
> {
  readonly is: 'stop';
  readonly from: Sender;
  /** Nobody reads the answer to a continue: a driver tells its next agent by itself. */
  readonly isUnanswered?: true;
  /** Set where the host does not send its last message, or calls for a stop after a failed turn as well. */
  readonly rest?: () => Promise<StopRest>;
  /**
   * What happened in the session since our last look at the transcript, and since the session took the loop.
   */
  readonly look: (since: Look['queue'], notBefore: string) => Look;
  /**
   * Counts what the session has used, for a loop with a budget. `config` reads the person's config.json, for
   * prices.
   */
  readonly count?: (loop: Loop, ledger: LedgerBlob, config: () => string | null) => Promise<Count>;
}

export interface StopRest {
  readonly message: string;
  readonly failed: TurnFault | null;
}

/** What an adapter keeps of its count from stop to stop, in its own format. */
export interface LedgerBlob {
  readonly read: () => string | null;
  readonly write: (content: string) => void;
}

export interface Count {
  readonly used: Used | null;
  /** What the person should know about the count; said once. */
  readonly note: string | null;
  /** Why it can't be counted, in words (rule 8): a budget must not seem unspent. */
  readonly trouble?: Escalation | null;
}

export interface ToolArrival {
  readonly is: 'tool';
  readonly from: Sender;
  /** What the tool would do, as far as it concerns a loop. Computed on demand: most sessions have no loop. */
  readonly acts: () => readonly ToolAct[];
  /** The call itself, for a loop in which some calls need an approval. */
  readonly call: () => ToolCall;
  /**
   * What decides how the host runs our hooks, and what it records of the session: files, and folders with all
   * in them.
   */
  readonly hostFiles: () => readonly string[];
  /** It is the call of our own tool that starts a loop. */
  readonly starts?: boolean;
  /**
   * The call of a tool of ours as our server gets it, in a host that does not tell servers its session; null:
   * another tool.
   */
  readonly speech?: () => string | null;
}

export interface ToolCall {
  /** The host's id of this call. Two deliveries of one call have the same. */
  readonly id: string;
  readonly tool: string;
  /** All that decides what the call does, as one text: two calls with the same text do the same. */
  readonly exact: string;
  readonly shown: string;
  /** Whether it runs a command, or nobody can tell: then every part of the text counts. */
  readonly isCommand: boolean;
}

/** What a rule about a tool looks at: the command line, the path of a file, or the tool's name alone. */
export type RuleFamily = 'shell' | 'files' | 'name';

/** What a tool would write, as far as its input shows. */
export type ToolAct =
  | {
      readonly is: 'write';
      readonly path: string;
      /** The whole new file, if the input has it; null: the input has edits, or nothing. */
      readonly content: string | null;
      readonly edits: readonly TextEdit[];
      readonly cwd: string;
    }
  | {
      readonly is: 'shell';
      readonly line: string;
      readonly cwd: string;
      /** Variables that the host sets in this shell and that may occur in paths. */
      readonly env: Environment;
      /** The agent may type into what the line starts, and no hook is asked about that. */
      readonly isTypedInto?: boolean;
    }
  | UnknownAct;

/** A call of which the table of its host does not tell what it would do. */
export interface UnknownAct {
  readonly is: 'unknown';
  readonly tool: string;
  /** The tool writes files or runs commands; false: nobody knows what it does. */
  readonly isActing: boolean;
  /** Every text of its input. */
  readonly texts: readonly string[];
  readonly cwd: string;
}

export interface TextEdit {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

/**
 * `taken`: something was taken out of the queue. `used`: where the host reports it, so that we need not
 * count.
 */
export interface Look extends Pick<Stop, 'queue' | 'toolUsed'>, Partial<Pick<Stop, 'context' | 'used'>> {
  readonly taken: boolean;
}

export interface HostSetup {
  /** The host ends a turn after this many stops in a row without a tool call; null: never. */
  readonly cap: number | null;
  /**
   * Set if the person asked to lift the host's cap. Lifts it, records that in Da Capo's home, returns whether
   * it worked.
   */
  readonly liftCap: ((home: string) => boolean) | null;
  /** How the session's permissions hold up a loop, in words for the person. Absent: they do not. */
  readonly hindrance?: string;
}

export interface CommandArrival extends HostSetup {
  readonly is: 'command';
  readonly from: Sender;
  readonly command: 'start' | 'cancel' | 'resume' | 'status' | 'approve' | 'reject' | 'answer';
  /** Verbatim, with no shell in between. */
  readonly args: string;
  /** The agent may have given it, too, so that it is not a person's answer. */
  readonly isAnyones?: true;
}

export type Answer =
  | { readonly is: 'silence' }
  /** `iteration`: the one that begins; `of` is null without a limit. */
  | ({ readonly is: 'continue'; readonly iteration: Iteration } & Words<string>)
  | ({ readonly is: 'brief' } & Words)
  /** The tool is not used. `ends`: the agent's turn ends here, too. */
  | ({ readonly is: 'deny'; readonly ends?: boolean } & Words)
  /** The tool is used, whatever the host's own permissions say: a person approved this call. */
  | { readonly is: 'permit'; readonly why: string }
  | { readonly is: 'tell'; readonly toPerson: string }
  /** The command ends here, without a call to the model. */
  | { readonly is: 'close'; readonly toPerson: string };

interface Words<P = string | null> {
  readonly toAgent: string;
  readonly toPerson: P;
}

export interface Iteration {
  readonly n: number;
  readonly of: number | null;
}

export const SILENCE: Answer = { is: 'silence' };

/** What a host allows a hook. Da Capo stays below it. */
export interface HostLimits {
  /** The host ends a stop hook after this time, counted from the start of its process. */
  readonly stopMs: number;
  /** The most characters of one text to the agent. The host cuts or hides a longer one. */
  readonly text: number;
  /** How far the host's transcript may lag behind the session. */
  readonly lagMs: number;
  /** Whether a tool call resets the host's count of continues, where it has a cap on them. */
  readonly toolResetsCap: boolean;
}

/** For a pass of our own driver: no host ends its hearing, and the prompt goes through a pipe. */
export const NO_LIMITS: HostLimits = { stopMs: Infinity, text: 200_000, lagMs: 0, toolResetsCap: true };

export interface Host {
  readonly name: string;
  readonly limits: HostLimits;
  /** A sign that only this host gives. A host in the shell of another inherits that one's variables. */
  recognises(payload: HookPayload, env: Environment): boolean;
  /** Null: nothing that concerns a loop (a subagent, an event we do not know). Never throws. */
  readArrival(payload: unknown, env: Environment): Arrival | null;
  encode(answer: Answer, arrival: Arrival): Output;
  /** Null: a session of this host that has stopped can't be woken. */
  readonly wake: (() => Wake) | null;
}

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface Wake {
  /** Nothing runs in the session right now, as far as the host tells. */
  isIdle(from: Pick<Sender, 'session'>, env: Environment): boolean;
  encode(toAgent: string): Output;
}

export const NO_OUTPUT: Output = { stdout: '', stderr: '', exit: 0 };

import type { SpandrelClient } from '@spandrel/client';
import type { Output } from '../output/output.ts';

/** Names that completion offers. Those of the server are cached. */
export type CompletionSource = 'projects' | 'datasets' | 'prompts' | 'experiments' | 'profiles' | 'files';

export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string;
  /** `switch` takes no value, `list` may be repeated, `count` is an integer from 1. */
  readonly kind: 'text' | 'list' | 'count' | 'number' | 'switch';
  /** Placeholder of the value in the help, without brackets. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly completion?: CompletionSource;
  readonly isRequired?: boolean;
  /** Value of an absent flag. */
  readonly default?: string;
}

export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly isOptional?: boolean;
  readonly choices?: readonly string[];
  readonly completion?: CompletionSource;
}

/** A command as the table describes it. Its code is loaded when it runs. */
export interface Command {
  /** Words after the program's name, such as `project list`. */
  readonly path: readonly string[];
  readonly help: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /** Takes `--project`. */
  readonly isProjectScoped?: boolean;
  /** Fields of the JSON output. */
  readonly fields?: string;
  readonly notes?: string;
  /** Number and meaning of an exit code of its own. */
  readonly exitCode?: string;
  readonly examples?: readonly string[];
  readonly load: () => Promise<Action>;
}

/** Runs a command. Returns the exit code when it is not 0. */
export type Action = (invocation: Invocation) => Promise<number | undefined> | Promise<void>;

/** Arguments and flags of a command line, checked against its command. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** Name → value, or values of a flag that may be repeated. */
  readonly values: ReadonlyMap<string, string | readonly string[] | true>;
}

/** What an action works with. */
export interface Invocation {
  /** The positional argument; empty when it is optional and absent. */
  argument(index: number): string;
  text(flag: string): string | undefined;
  isSet(flag: string): boolean;
  list(flag: string): readonly string[];
  number(flag: string): number | undefined;
  /** Value of a flag that is required or has a default. */
  count(flag: string): number;
  readonly out: Output;
  readonly signal: AbortSignal;
  /** Opens the client on first use. `attemptCountMax` 1 repeats nothing. */
  client(options?: ClientChoice): Promise<SpandrelClient>;
  /** ID or name for paths of the project of flag, environment or profile. @throws {UsageError} when there is none */
  project(): Promise<string>;
  readonly settings: InvocationSettings;
}

export interface ClientChoice {
  readonly attemptCountMax?: number;
  /** Body of every request, opened for each attempt. */
  readonly openBody?: () => ReadableStream<Uint8Array>;
}

/** Flags of all commands. */
export interface InvocationSettings {
  readonly endpoint: string | undefined;
  readonly apiKey: string | undefined;
  readonly profile: string | undefined;
  readonly project: string | undefined;
}

/** Wrong arguments or settings. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An expected failure with an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

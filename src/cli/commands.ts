import type { Log } from '../base/log.ts';
import type { Config } from '../config/config.ts';

/** The implementations of the commands, passed by `main.ts`. This folder handles only the terminal and signals. */
export interface Commands {
  readonly version: string;
  /**
   * Resolves when the server is ready. If it cannot start, closes everything and rejects.
   *
   * @param onFatal called with the reason when the server cannot continue and has closed
   */
  openServer(config: Config, log: Log, onFatal: (error: Error) => void): Promise<RunningServer>;
  /** Migrates the tables of the metadata store. Returns its location. */
  migrate(config: Config, log: Log): Promise<string>;
  /** Copies the metadata store to another Postgres. `onProgress` receives a line after each step. */
  move(config: Config, targetUrl: string, log: Log, onProgress: (line: string) => void): Promise<void>;
  /** Assigns the metadata store to the data directory, whatever its previous owner. Returns its location. */
  adopt(config: Config, log: Log): Promise<string>;
  /**
   * Encrypts every stored credential with the current secret, also while servers run. `onProgress` receives a line after
   * each step.
   */
  rotateSecrets(config: Config, log: Log, onProgress: (line: string) => void): Promise<RotationReport>;
  /** Opens the commands about users, which work while servers run and while they do not. */
  users(config: Config, log: Log): Promise<UserCommands>;
  /**
   * Reads everything in the data directory and changes nothing. Rejects when it cannot read it, for example while a
   * server runs there.
   */
  check(config: Config, log: Log): Promise<CheckReport>;
}

/** Commands about users. A password in a result is shown once. */
export interface UserCommands {
  list(): Promise<readonly UserLine[]>;
  /** Returns the password. */
  createAdmin(account: { readonly email: string; readonly username: string }): Promise<string>;
  /** Returns the new password. */
  resetPassword(email: string): Promise<string>;
  unlock(account: string): Promise<void>;
  /** Returns how many sessions there were. */
  endSessions(email: string): Promise<number>;
}

export interface UserLine {
  readonly email: string;
  readonly username: string;
  readonly role: string;
  readonly authMethod: string;
  readonly isActive: boolean;
  readonly sessionCount: number;
}

export interface RunningServer {
  /** `http://host:port`, without a path. */
  readonly httpAddress: string;
  /** Undefined when gRPC is not served. */
  readonly grpcPort: number | undefined;
  /** Location of the metadata, without passwords. */
  readonly metadataStore: string;
  /** Finishes running requests, applies the journal and closes. */
  close(): Promise<void>;
}

/** One line per counted thing, and one per problem. */
export interface CheckReport {
  readonly facts: readonly string[];
  readonly problems: readonly string[];
}

export interface RotationReport {
  readonly resealedCount: number;
  readonly currentCount: number;
  /** Credentials that changed all the time, so that they are not done. */
  readonly changedCount: number;
  /** Credentials that no known key decrypts. */
  readonly closed: readonly { readonly name: string; readonly keyId: string | undefined }[];
}

/** Output of a command. Tests collect the lines. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
}

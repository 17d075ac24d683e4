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
  /**
   * Reads everything in the data directory and changes nothing. Rejects when it cannot read it, for example while a
   * server runs there.
   */
  check(config: Config, log: Log): Promise<CheckReport>;
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

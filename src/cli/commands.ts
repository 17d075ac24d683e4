import type { Log } from '../base/log.ts';
import type { Config } from '../config/config.ts';

/** What the commands do, handed over by `main.ts`: this folder only speaks with people and with signals. */
export interface Commands {
  readonly version: string;
  /**
   * Resolves when the server is ready. Rejects, with everything closed again, when it cannot start.
   *
   * @param onFatal Called when the server cannot go on by itself, with the reason; it is closed then.
   */
  openServer(config: Config, log: Log, onFatal: (error: Error) => void): Promise<RunningServer>;
  /** Brings the tables of the metadata store up to date and says where they are. */
  migrate(config: Config, log: Log): Promise<string>;
  /** Copies the metadata store to another Postgres; `onProgress` gets a line after each step. */
  move(config: Config, targetUrl: string, log: Log, onProgress: (line: string) => void): Promise<void>;
  /** Assigns the metadata store to the data directory, whatever its previous owner. Returns its location. */
  adopt(config: Config, log: Log): Promise<string>;
  /** Reads everything in the data directory and changes nothing. Rejects when it cannot, as while a server runs there. */
  check(config: Config, log: Log): Promise<CheckReport>;
}

export interface RunningServer {
  /** `http://host:port`, without a path. */
  readonly httpAddress: string;
  /** Undefined when gRPC is not served. */
  readonly grpcPort: number | undefined;
  /** Where the metadata is, without passwords. */
  readonly metadataStore: string;
  /** Lets requests in flight end, applies what is journaled, closes. */
  close(): Promise<void>;
}

/** A line for each thing that was counted, and for each that is wrong. */
export interface CheckReport {
  readonly facts: readonly string[];
  readonly problems: readonly string[];
}

/** Where a command prints; a test collects the lines. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
}

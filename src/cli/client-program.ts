/** First words of command lines that the server's program runs itself. The command line client runs all others. */
export const SERVER_COMMANDS: readonly string[] = ['serve', 'db', 'user', 'config', 'secrets', 'check'];

/** The command line client, a package of its own that is bundled beside the server. */
export interface ClientProgram {
  /** Runs a command line and ends the process. */
  runClient(args: readonly string[], options: { readonly serverCommands: readonly string[] }): Promise<void>;
}

/** Whether a command line is one of the client's. Flags alone, such as `--help`, are the server's. */
export function isForClient([first]: readonly string[]): boolean {
  if (first === undefined || SERVER_COMMANDS.includes(first)) return false;
  // Shells request completions of both.
  return !first.startsWith('-') || first === '--complete';
}

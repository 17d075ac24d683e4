import { openLog } from '../base/log.ts';
import type { ConfigReading } from '../config/config.ts';
import type { Commands, Terminal } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { explainStartupError } from './startup-error.ts';

export async function migrateDatabase(reading: ConfigReading, commands: Commands, terminal: Terminal): Promise<number> {
  return report(reading, terminal, async (log) => `Up to date: ${await commands.migrate(reading.config, log)}`);
}

export async function moveDatabase(
  reading: ConfigReading,
  targetUrl: string,
  commands: Commands,
  terminal: Terminal,
): Promise<number> {
  return report(reading, terminal, (log) => commands.move(reading.config, targetUrl, log));
}

async function report(
  { config }: ConfigReading,
  terminal: Terminal,
  run: (log: ReturnType<typeof openLog>) => Promise<string>,
): Promise<number> {
  try {
    terminal.out(await run(openLog(config.log)));
    return EXIT.ok;
  } catch (error) {
    terminal.err(`spandrel: ${explainStartupError(error, config)}`);
    return EXIT.failure;
  }
}

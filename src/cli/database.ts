import { type Log, openLog } from '../base/log.ts';
import type { ConfigReading } from '../config/config.ts';
import type { Commands, Terminal } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { explainStartupError } from './startup-error.ts';

export function migrateDatabase(reading: ConfigReading, commands: Commands, terminal: Terminal): Promise<number> {
  return run(reading, terminal, async (log) => {
    terminal.out(`The metadata store is up to date: ${await commands.migrate(reading.config, log)}`);
  });
}

export function moveDatabase(
  reading: ConfigReading,
  targetUrl: string,
  commands: Commands,
  terminal: Terminal,
): Promise<number> {
  return run(reading, terminal, (log) => commands.move(reading.config, targetUrl, log, (line) => terminal.out(line)));
}

export function adoptDatabase(reading: ConfigReading, commands: Commands, terminal: Terminal): Promise<number> {
  return run(reading, terminal, async (log) => {
    const { dataDir } = reading.config.paths;
    terminal.out(`The metadata in ${await commands.adopt(reading.config, log)} now belongs to ${dataDir}.`);
  });
}

async function run(
  { config }: ConfigReading,
  terminal: Terminal,
  command: (log: Log) => Promise<void>,
): Promise<number> {
  try {
    await command(openLog(config.log));
    return EXIT.ok;
  } catch (error) {
    terminal.err(`spandrel: ${explainStartupError(error, config)}`);
    return EXIT.failure;
  }
}

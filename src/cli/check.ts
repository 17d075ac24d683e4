import { openLog } from '../base/log.ts';
import type { ConfigReading } from '../config/config.ts';
import type { CheckReport, Commands, Terminal } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { explainStartupError } from './startup-error.ts';

export async function check({ config }: ConfigReading, commands: Commands, terminal: Terminal): Promise<number> {
  let report: CheckReport;
  try {
    report = await commands.check(config, openLog(config.log));
  } catch (error) {
    terminal.err(`spandrel: cannot check ${config.paths.dataDir}: ${explainStartupError(error, config)}`);
    return EXIT.cannotCheck;
  }
  const { facts, problems } = report;
  for (const fact of facts) terminal.out(fact);
  for (const problem of problems) terminal.err(`PROBLEM: ${problem}`);
  terminal.out(problems.length === 0 ? `${config.paths.dataDir} is fine.` : `${problems.length} found.`);
  return problems.length === 0 ? EXIT.ok : EXIT.problemsFound;
}

import { openLog } from '../base/log.ts';
import type { ConfigReading } from '../config/config.ts';
import type { Commands, RotationReport, Terminal } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { explainStartupError } from './startup-error.ts';

/** Fails when a credential cannot be decrypted, because its former secret must not be removed from the settings. */
export async function rotateSecrets(
  { config }: ConfigReading,
  commands: Commands,
  terminal: Terminal,
): Promise<number> {
  let report: RotationReport;
  try {
    report = await commands.rotateSecrets(config, openLog(config.log), (line) => terminal.out(line));
  } catch (error) {
    terminal.err(`spandrel: ${explainStartupError(error, config)}`);
    return EXIT.failure;
  }
  const { resealedCount, currentCount, changedCount, closed } = report;
  terminal.out(`${resealedCount} credentials encrypted again, ${currentCount} had the current key already.`);
  for (const { name, keyId } of closed) {
    terminal.err(`Cannot decrypt: ${name} (${keyId === undefined ? 'key of an earlier version' : `key ${keyId}`})`);
  }
  if (changedCount > 0) terminal.err(`${changedCount} credentials changed in between. Run the command again.`);
  if (closed.length === 0) return changedCount === 0 ? EXIT.ok : EXIT.failure;
  terminal.err(
    `${closed.length} credentials cannot be decrypted. Add their secret to SERVICE_FORMER_SECRETS and retry.`,
  );
  return EXIT.failure;
}

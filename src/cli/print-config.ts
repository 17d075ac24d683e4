import type { ConfigReading } from '../config/config.ts';
import { PREFIX } from '../config/read-settings.ts';
import type { Terminal } from './commands.ts';

/** Prints every setting with its value and source. Secrets are masked. */
export function printConfig({ effective, warnings }: ConfigReading, terminal: Terminal): void {
  const rows = effective.map(({ name, shown, origin }) => [`${PREFIX}${name}`, shown || '-', origin] as const);
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const valueWidth = Math.min(60, Math.max(...rows.map(([, value]) => value.length)));
  for (const [name, value, origin] of rows) {
    terminal.out(`${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${origin}`);
  }
  for (const warning of warnings) terminal.err(`warning: ${warning}`);
}

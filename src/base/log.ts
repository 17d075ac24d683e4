import { pino } from 'pino';

/**
 * A log line: fields first, then a fixed sentence that states what happened and what to do. An error is in the field
 * `err`.
 */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** `pretty` for a terminal, `json` for a log collector. */
  readonly form: 'pretty' | 'json';
}

export function openLog({ level, form }: LogOptions): Log {
  if (form === 'json') return pino({ level, base: null, formatters: { level: (label) => ({ level: label }) } });
  return pino({
    level,
    base: null,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' } },
  });
}

/** Discards every line. For tests and for parts that run alone. */
export const silentLog: Log = pino({ level: 'silent' });

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

/**
 * Makes stack traces of files with a map beside them refer to their sources. Unlike `process.setSourceMapsEnabled`, it reads a map with the
 * first stack that needs it: the maps of the server would take a tenth of its start.
 */
export function mapStackTraces(): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (path: string) => {
    if (!maps.has(path)) maps.set(path, readMap(path));
    return maps.get(path);
  };
  const toSource = (location: string, path: string, line: string, column: string): string => {
    const origin = mapOf(path)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return location;
    return `${resolve(dirname(path), origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
  };
  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${String(site).replace(LOCATION, toSource)}`)].join('\n');
}

/** Path, line and column at the end of a line of a stack trace. */
const LOCATION = /(\/[^()]+\.cjs):(\d+):(\d+)(?=\)?$)/;

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}

function headOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

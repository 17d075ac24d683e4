import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Client → the folder of its sources, and how their names end. */
const CLIENTS = {
  typescript: { folder: 'clients/typescript/client/src', ending: '.ts' },
  python: { folder: 'clients/python/client/spandrel_client', ending: '.py' },
};
const LIST = 'clients/operations.json';
/** A method followed by a path, in quotes: `.GET('/v1/user')`, `request("GET", f"/v1/users/{part(user_id)}")`. */
const CALL = /\b(GET|POST|PUT|PATCH|DELETE)\b["'`]?[\s,(]+[rf]{0,2}["'`](\/v1(?:\{[^{}]*\}|[^"'`\s{}])*)["'`]/g;

/**
 * Every operation is called by each client, or has a reason in `clients/operations.json` why it is not. Returns problems.
 * A client whose folder does not exist yet is left out.
 */
export function checkOperations(root, { paths }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => nameOf(method, path)),
  );
  const lists = new Map(Object.entries(JSON.parse(readFileSync(join(root, LIST), 'utf8'))));
  return Object.entries(CLIENTS).flatMap(([client, { folder, ending }]) => {
    const sources = readSources(join(root, folder), ending);
    if (sources.length === 0) return [];
    const called = new Set(sources.flatMap(findCalls));
    const reasons = new Map(
      Object.entries(lists.get(client) ?? {}).map(([name, reason]) => [nameOf(...name.split(' ')), reason]),
    );
    return [
      ...operations
        .filter((name) => !called.has(name) && !reasons.has(name))
        .map((name) => `${folder} does not call ${name}: call it, or give a reason in ${LIST} under ${client}`),
      ...operations
        .filter((name) => called.has(name) && reasons.has(name))
        .map((name) => `${LIST}: ${client} calls ${name}, so it needs no reason`),
      ...[...reasons]
        .filter(([name, reason]) => !operations.includes(name) || !reason)
        .map(([name]) => `${LIST}: ${name} under ${client} is no operation, or has no reason`),
      ...[...called]
        .filter((name) => !operations.includes(name))
        .map((name) => `${folder} calls ${name}, which is no operation`),
    ];
  });
}

/** `GET /v1/users/{}`: names of parameters do not count. */
const nameOf = (method, path) => `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}').replace(/\?.*$/, '')}`;

const findCalls = (source) => [...source.matchAll(CALL)].map(([, method, path]) => nameOf(method, path));

function readSources(folder, ending) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.split(/[\\/]/).includes('generated'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

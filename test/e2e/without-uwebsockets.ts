/**
 * A server imports this before its own code (`--import`). uWebSockets.js then does not load, as without a binary for
 * the machine.
 */
import Module from 'node:module';

const modules = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
const load = modules._load;
modules._load = (request, ...rest) => {
  if (request.startsWith('uws-node')) throw new Error(`Cannot find module '${request}'`);
  return load(request, ...rest);
};

// node --import @spandrel/tracing/auto program.js: settings come from the environment.
import { instrumentationsOf, register } from './register/register-node.ts';

const provider = register({ autoInstrument: true });
// Before the program loads, so that its first call of a model is traced.
await instrumentationsOf.get(provider);

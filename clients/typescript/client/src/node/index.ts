// Also for our other packages. Its types are those of Node, which programs for browsers do not install, so no other module has them in its
// declarations.
import type * as NodeFs from 'node:fs';
import type * as NodeOs from 'node:os';
import type * as NodePath from 'node:path';

/** The parts of Node that this package uses. They are looked up when they are needed, so browsers never load them. */
export interface NodeModules {
  readonly fs: typeof NodeFs;
  readonly path: typeof NodePath;
  readonly os: typeof NodeOs;
  readonly process: NodeJS.Process;
}

/** Undefined in a browser or on an edge runtime. */
export function findNode(): NodeModules | undefined {
  const { process } = globalThis;
  if (typeof process?.getBuiltinModule !== 'function') return undefined;
  const fs = process.getBuiltinModule('node:fs');
  const path = process.getBuiltinModule('node:path');
  const os = process.getBuiltinModule('node:os');
  return fs && path && os ? { fs, path, os, process } : undefined;
}

#!/usr/bin/env node
// Compiles src, native-bindings, test and bench to dist/, and the web interface to dist/web.
import { build } from './dist.mjs';

process.exitCode = build() ? 0 : 1;

#!/usr/bin/env node
// Builds the published TypeScript packages that are stale. npm runs it before it packs one.
import { buildClients } from './dist.mjs';

process.exitCode = buildClients() ? 0 : 1;

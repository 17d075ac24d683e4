#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { createClient } from '@spandrel/client';
import { packageVersion } from './create-mcp-server.ts';
import { runStdioServer } from './stdio.ts';

const HELP = `Usage: spandrel-mcp [options]

Serves the Model Context Protocol over stdin and stdout. When stdin has ended, pending calls are answered for up to 10 s.

  --baseUrl <url>     address of the Spandrel server (SPANDREL_ENDPOINT, default http://localhost:6006)
  --apiKey <key>      API key (SPANDREL_API_KEY)
  --project <name>    project of calls that name none (SPANDREL_PROJECT)
  --allow-writes      also list tools that add prompts, tags and dataset examples
  --version           print the version
  --help              print this text
`;

/** Exit code for wrong arguments. */
const USAGE = 2;

function main(): void {
  const { values } = parseArgs({
    options: {
      baseUrl: { type: 'string' },
      apiKey: { type: 'string' },
      project: { type: 'string' },
      'allow-writes': { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  if (values.version) return void process.stdout.write(`${packageVersion()}\n`);
  const client = createClient({
    options: {
      ...(values.baseUrl !== undefined && { baseUrl: values.baseUrl }),
      ...(values.apiKey !== undefined && { apiKey: values.apiKey }),
      warn: (message) => console.error(message),
    },
  });
  runStdioServer({ client, project: values.project, allowsWrites: values['allow-writes'] });
}

try {
  main();
} catch (error) {
  console.error(`spandrel-mcp: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = USAGE;
}

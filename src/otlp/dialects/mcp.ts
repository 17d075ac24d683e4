import type { Dialect } from './dialect.ts';

/** Requests of the Model Context Protocol. */
export const MCP: Dialect = {
  name: 'mcp',
  prefixes: ['mcp.method.name'],
  kindOf: (span) => (span.text('mcp.method.name') === 'tools/call' ? 'TOOL' : 'CHAIN'),
  translate: (span, kind) =>
    kind === 'TOOL' ? { tool: { name: span.text('gen_ai.tool.name', 'mcp.tool.name') } } : {},
};

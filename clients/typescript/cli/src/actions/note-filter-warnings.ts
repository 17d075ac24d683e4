import { GraphqlError, HttpError, queryGraphql, type SpandrelClient } from '@spandrel/client';
import { CommandError } from '../command-line/command.ts';
import type { Output } from '../output/output.ts';
import { findProjectNodeId } from './find.ts';

const QUERY = `query ($id: ID!, $condition: String!) {
  node(id: $id) { ... on Project { check: validateSpanFilterCondition(condition: $condition) { warnings } } }
}`;

interface Data {
  readonly node: { readonly check: { readonly warnings: readonly string[] } } | null;
}

/**
 * Notes names of a filter that the project does not have: a mistyped field is an attribute to the language, and selects
 * nothing. A server that cannot say them is no error.
 *
 * @param project what a path needs to name the project
 */
export async function noteFilterWarnings(
  client: SpandrelClient,
  project: string,
  condition: string,
  out: Output,
  signal: AbortSignal,
): Promise<void> {
  try {
    const id = await findProjectNodeId(client, project, signal);
    const { node } = await queryGraphql<Data>({ client, signal }, QUERY, { id, condition });
    for (const warning of node?.check.warnings ?? []) out.note(`Filter: ${warning}`);
  } catch (error) {
    if (![HttpError, GraphqlError, CommandError].some((expected) => error instanceof expected)) throw error;
  }
}

import type { RowPage } from '../../data/merge-rows.ts';
import { send } from '../../data/request.ts';
import { type Rows, useRows } from '../../data/use-rows.ts';
import { type SessionTurnsData, sessionTurns } from './generated/session.ts';

type SessionNode = Extract<SessionTurnsData['node'], { readonly __typename: 'ProjectSession' }>;
export type Turn = SessionNode['traces']['edges'][number]['node'];

const TURN_COUNT = 50;

/** Reads the traces of a session page by page. */
export function useTurns(sessionId: string): Rows<Turn> {
  const load = async (after: string | undefined, signal: AbortSignal): Promise<RowPage<Turn>> => {
    const { node } = await send(sessionTurns, { id: sessionId, first: TURN_COUNT, after: after ?? null }, signal);
    if (node.__typename !== 'ProjectSession') return { rows: [], next: undefined };
    const { edges, pageInfo } = node.traces;
    return {
      rows: edges.map((edge) => edge.node),
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  return useRows([sessionTurns.name, sessionId], load, turnId);
}

const turnId = ({ id }: Turn): string => id;

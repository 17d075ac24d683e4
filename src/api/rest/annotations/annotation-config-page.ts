import { Type } from '@sinclair/typebox';
import type { AnnotationConfig } from '../../../model/annotations/annotation-config.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { Page } from '../../../model/page.ts';
import { CONFIG_NODE_TYPES, configRowIdOf } from '../../contract/config-ids.ts';
import { cursorTo } from '../cursor.ts';
import { Cursor, OpenLimit, PageOf } from '../schema.ts';
import { ConfigJson, SHOWN_CONFIG_EXAMPLE, toConfigJson } from './annotation-config-json.ts';

/** Parameters of lists of configs. */
export const ConfigPageQuery = Type.Object({ cursor: Cursor, limit: OpenLimit });

export const CONFIG_PAGE = {
  status: 200,
  description: 'One page of annotation configs.',
  schema: PageOf(ConfigJson),
  example: { data: [SHOWN_CONFIG_EXAMPLE], next_cursor: null },
} as const;

/** @throws {SpandrelError} `ANNOTATION_CONFIG_INVALID` when the cursor is none. */
export function toPageQuery({ cursor, limit }: { readonly cursor?: string; readonly limit: number }): {
  readonly limit: number;
  readonly fromRowId?: number;
} {
  const rows = { limit: Math.min(limit, PAGE_ROW_COUNT_MAX) };
  if (!cursor) return rows;
  const fromRowId = configRowIdOf(cursor);
  if (fromRowId !== undefined) return { ...rows, fromRowId };
  throw new SpandrelError('ANNOTATION_CONFIG_INVALID', `Invalid cursor: ${cursor}`);
}

/** The type in the cursor means nothing: the row ids of all kinds are one space. */
export const toPageJson = ({ items, nextRowId }: Page<AnnotationConfig>) => ({
  data: items.map(toConfigJson),
  next_cursor: cursorTo(CONFIG_NODE_TYPES.CATEGORICAL, nextRowId),
});

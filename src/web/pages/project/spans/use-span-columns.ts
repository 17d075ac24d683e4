import { useMemo } from 'react';
import type { Column } from '../../../components/table/column.ts';
import { useMediaQuery } from '../../../components/use-media-query.ts';
import { useTimeFormat } from '../../../format/times.ts';
import {
  type Annotated,
  annotatedWith,
  annotationColumns,
  expandableColumns,
  type Place,
  spanColumns,
  traceColumns,
} from './span-columns.tsx';
import type { SpanRow, TraceRow } from './span-row.ts';
import type { ExpandedTraces } from './use-expanded-traces.ts';

interface Shown extends Pick<ExpandedTraces, 'isExpanded' | 'toggle'> {
  readonly tab: 'spans' | 'traces';
  readonly isRootsOnly: boolean;
  readonly rows: readonly SpanRow[];
  readonly place: Place;
}

/**
 * Columns of a table of spans or traces. They keep their identity until one of them changes, because other columns
 * render all rows again.
 */
export function useSpanColumns({
  tab,
  isRootsOnly,
  rows,
  place,
  isExpanded,
  toggle,
}: Shown): readonly Column<TraceRow>[] {
  const times = useTimeFormat();
  const isNarrow = useMediaQuery('(max-width: 1200px)');
  // Most pages of rows have the same annotation names as the previous one.
  const annotated = JSON.stringify(annotatedWith(rows));
  return useMemo(() => {
    const all =
      tab === 'traces'
        ? expandableColumns(
            traceColumns({ times, place }),
            spanColumns({ times, place, isRootsOnly: false, isNarrow }),
            { isExpanded, toggle },
          )
        : spanColumns({ times, place, isRootsOnly, isNarrow });
    const names = JSON.parse(annotated) as readonly Annotated[];
    // Annotations get more width if there are any.
    return names.length > 0
      ? [...all, ...annotationColumns(names, tab === 'spans')]
      : all.filter(({ id }) => id !== 'annotations');
  }, [tab, isRootsOnly, place, isExpanded, toggle, times, isNarrow, annotated]);
}

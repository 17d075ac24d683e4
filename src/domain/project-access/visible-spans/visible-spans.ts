import type { SpanStoreReader } from '../../../span-store/contract/span-store.ts';
import type { ProjectAccess } from '../project-access.ts';
import type { VisibleRows } from '../visible-rows.ts';
import { type Guard, type Guarded, guardedRead, READS_OF_PROJECT } from './guarded-reads.ts';
import { LIST_READS, readsOfLists } from './list-reads.ts';
import { OTHER_READS, type OtherRead, otherReads } from './other-reads.ts';

/**
 * The span store as a caller sees it: data in projects that are hidden from the caller is not stored. The types demand that
 * each read is named here. A request uses few reads, so each is made when it is first used.
 */
export function visibleSpans(reader: SpanStoreReader, access: ProjectAccess, rows: VisibleRows): SpanStoreReader {
  return Object.assign(Object.create(VISIBLE_SPANS), { guard: { reader, access, rows } satisfies CallerReads });
}

/** Groups of reads are made when one of them is first used. */
interface CallerReads extends Guard {
  lists?: ReturnType<typeof readsOfLists>;
  others?: Pick<SpanStoreReader, OtherRead>;
}

function readOf(guard: CallerReads, name: string): unknown {
  if (Object.hasOwn(LIST_READS, name)) {
    guard.lists ??= readsOfLists(guard);
    return guard.lists[name as keyof typeof LIST_READS];
  }
  if (Object.hasOwn(OTHER_READS, name)) {
    guard.others ??= otherReads(guard);
    return guard.others[name as keyof typeof OTHER_READS];
  }
  return guardedRead(guard, name as keyof Guarded);
}

/** Prototype with a getter for each read. */
const VISIBLE_SPANS: object = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.keys({ ...READS_OF_PROJECT, ...LIST_READS, ...OTHER_READS }).map((name) => [
      name,
      {
        enumerable: true,
        get(this: { readonly guard: CallerReads }) {
          return readOf(this.guard, name);
        },
      },
    ]),
  ),
);

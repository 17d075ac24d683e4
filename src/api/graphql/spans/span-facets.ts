import { FACET_METADATA_KEY_COUNT, FACET_VALUE_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { Grain } from '../../../domain/domain.ts';
import { type FilterArguments, type RangeArguments, reject, toFilteredRange } from '../arguments.ts';
import type { Resolver } from '../resolvers.ts';

interface FacetArguments extends RangeArguments, FilterArguments {
  readonly grain?: Grain | null;
  readonly first?: number | null;
}

/** @throws {FilterError} */
export const findProjectFacets: Resolver<{ readonly rowId: number }, FacetArguments> = (
  { rowId },
  args,
  { domain, signal },
) => {
  const limit = args.first ?? 8;
  if (limit < 1 || limit > FACET_VALUE_COUNT_MAX) reject(`first must be between 1 and ${FACET_VALUE_COUNT_MAX}`);
  const grain = args.grain ?? 'spans';
  if (grain === 'sessions') return reject('Sessions have no facets');
  const { startTimeUnixNano, endTimeUnixNano, filter } = toFilteredRange(args);
  return domain.spans.findFacets(
    {
      projectId: rowId,
      ...(startTimeUnixNano === undefined ? {} : { startTimeUnixNano }),
      ...(endTimeUnixNano === undefined ? {} : { endTimeUnixNano }),
      filter,
      grain,
      limit,
      metadataKeyLimit: FACET_METADATA_KEY_COUNT,
    },
    { readClass: 'interface', signal },
  );
};

import { type RawBuilder, sql } from 'kysely';
import type { RunChoice, RunCondition, RunFilter, RunJson, RunText, RunValue } from '../../filter/runs/run-filter.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: experiment_runs, experiment_evaluations, dataset_example_revisions.

type Sql = RawBuilder<unknown>;

/**
 * A condition on an example of an experiment; `s` is its row in `experiment_examples` and `r` the revision.
 * All values of the filter are parameters.
 *
 * @param experimentRowIds the compared experiments, the base first
 */
export function runFilterToSql(filter: RunFilter, experimentRowIds: readonly number[]): Sql {
  const joins = filter.runs.map((choice) => {
    const run = sql.raw(aliasOf(choice));
    const ids = choice === 'any' ? experimentRowIds : [experimentRowIds[choice]];
    // An experiment without a run of the example is a row of missing values.
    return sql`cross join unnest(${ids}::bigint[]) as ${sql.raw(`${aliasOf(choice)}_of`)} (id)
      left join experiment_runs ${run} on ${run}.experiment_id = ${sql.raw(`${aliasOf(choice)}_of`)}.id
        and ${run}.dataset_example_id = s.dataset_example_id`;
  });
  return sql`exists (select 1 from (select 1) as one ${sql.join(joins, sql` `)} where ${toCondition(filter.condition)})`;
}

/** Consists of numbers only. */
const aliasOf = (choice: RunChoice): string => (choice === 'any' ? 'run_any' : `run_${choice}`);

function toCondition(condition: RunCondition): Sql {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return sql`(${sql.join(condition.operands.map(toCondition), condition.kind === 'and' ? sql` and ` : sql` or `)})`;
    case 'not':
      return sql`(not ${toCondition(condition.operand)})`;
    case 'presence':
      return condition.isPresent
        ? sql`(${toJsonb(condition.value)} is not null)`
        : sql`(${toJsonb(condition.value)} is null)`;
    case 'containment': {
      const isInside = sql`position(${toText(condition.part)} in ${toText(condition.whole)}) > 0`;
      return condition.isNegated ? sql`(not ${isInside})` : sql`(${isInside})`;
    }
    case 'equality':
      return sql`(${toJsonb(condition.left)} ${condition.operator === '==' ? sql`=` : sql`<>`} ${toJsonb(condition.right)})`;
    case 'order': {
      const operator = sql.raw(ORDER[condition.operator]);
      return sql`(
        select case
          when jsonb_typeof(a) = 'number' and jsonb_typeof(b) = 'number' then a ${operator} b
          when jsonb_typeof(a) = 'string' and jsonb_typeof(b) = 'string'
            then (a #>> '{}') collate "C" ${operator} (b #>> '{}') collate "C"
        end
        from (select ${toJsonb(condition.left)} as a, ${toJsonb(condition.right)} as b) as operands
      )`;
    }
  }
}

const ORDER = { '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;

/** Converts a value of any type to jsonb, so that values compare by type. A missing value is null. */
function toJsonb(value: RunValue): Sql {
  switch (value.kind) {
    case 'literal':
      if (value.type === 'text') return sql`to_jsonb(${toPostgresText(value.value)}::text)`;
      return value.type === 'number' ? sql`to_jsonb(${value.value}::float8)` : sql`to_jsonb(${value.value}::boolean)`;
    case 'example':
    case 'output':
      return sql`(
        select case json_typeof(found)
          when 'string' then to_jsonb(found #>> '{}')
          when 'null' then null
          else case when found::text !~ ${BEYOND_NUMERIC} then found::jsonb end
        end
        from (select ${toJson(value)} as found) as value
      )`;
    case 'negation':
      return sql`(
        select case when jsonb_typeof(operand) = 'number' then to_jsonb(-(operand::numeric)) end
        from (select ${toJsonb(value.operand)} as operand) as value
      )`;
    case 'latency': {
      const run = sql.raw(aliasOf(value.run));
      return sql`to_jsonb(extract(epoch from ${run}.end_time - ${run}.start_time) * 1000)`;
    }
    case 'evaluation':
      return sql`to_jsonb(${evaluationColumn(value)})`;
    case 'error':
      return sql`to_jsonb(${toText(value)})`;
  }
}

/** A number that `numeric` cannot represent. A json column accepts any. */
const BEYOND_NUMERIC = '[0-9][eE][+-]?[0-9]{5,}';

function toText(value: RunText): Sql {
  switch (value.kind) {
    case 'literal':
      return sql`${toPostgresText(value.value)}::text`;
    case 'error':
      return sql`${sql.raw(aliasOf(value.run))}.error`;
    case 'evaluation':
      return evaluationColumn(value);
    default:
      return sql`(${toJson(value)} #>> '{}')`;
  }
}

function evaluationColumn(value: {
  readonly run: RunChoice;
  readonly name: string;
  readonly member: 'score' | 'label' | 'explanation';
}): Sql {
  return sql`(
    select evaluation.${sql.raw(value.member)} from experiment_evaluations evaluation
    where evaluation.experiment_run_id = ${sql.raw(aliasOf(value.run))}.id
      and evaluation.name = ${toPostgresText(value.name)}
  )`;
}

/** The value at a path of a json column. */
function toJson(value: RunJson): Sql {
  const column = value.kind === 'output' ? `${aliasOf(value.run)}.output` : `r.${COLUMNS[value.field]}`;
  return value.path.reduce<Sql>(
    (json, step) =>
      typeof step === 'number' ? sql`(${json} -> ${step}::integer)` : sql`(${json} -> ${toPostgresText(step)}::text)`,
    readable(sql.raw(column)),
  );
}

const COLUMNS = { input: 'input', reference_output: 'output', metadata: 'metadata' } as const;

/**
 * A json column keeps escapes that Postgres cannot convert to text (U+0000, lone surrogates) and fails when it is read:
 * each is read as U+FFFD.
 */
const readable = (column: Sql): Sql => sql`(
  case when position('\\u' in ${column}::text) > 0
    then regexp_replace(${column}::text, ${UNREADABLE}, ${'\\1\uFFFD'}, 'g')::json
    else ${column} end
)`;
const UNREADABLE = '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})';

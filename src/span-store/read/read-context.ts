import { SpandrelError } from '../../model/errors.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { EntityFilterPlan } from '../filter/compile-entity-filter.ts';
import { compileEntityFilter } from '../filter/compile-entity-filter.ts';
import type { SpanFilterPlan } from '../filter/compile-span-filter.ts';
import { compileSpanFilter } from '../filter/compile-span-filter.ts';
import { BlockFilters } from '../cache/block-filters.ts';
import { RangeSums } from '../cache/range-aggregates.ts';
import { RecentSpans } from '../cache/recent-spans.ts';
import type { TraceBlocks } from '../cache/trace-blocks.ts';
import type { ReadOptions } from '../contract/read-options.ts';
import type { Connection, QueryResult, SqlValue } from '../duckdb/sql.ts';
import { type Parameters, type Statements, statementsOf } from '../duckdb/sql.ts';

/** The greatest row ids of what was stored when a read began. */
export interface NewestRowIds {
  readonly span: number;
  readonly session: number;
}

/** What makes reads quicker, and changes nothing else. */
export interface ReadAids {
  readonly blocks?: BlockFilters;
  /** Of all stored traces; without it their IDs are scanned. */
  readonly traceBlocks?: TraceBlocks;
  readonly recent?: RecentSpans;
  readonly sums?: RangeSums;
  /** Those of the connection, where it is used again. */
  readonly statements?: Statements;
  /** A second connection, if there is one to spare. */
  readonly borrow?: () => Promise<Lane | undefined>;
}

/** Implementations of a reader: its methods on the context of one read, which replaces their options. */
export type ReadsOf<Reader> = {
  readonly [Name in keyof Reader]: Reader[Name] extends (
    argument: infer Argument,
    options?: ReadOptions,
  ) => infer Result
    ? (context: ReadContext, argument: Argument) => Result
    : never;
};

/** A connection beside a read's own. */
export interface Lane {
  readonly connection: Connection;
  readonly statements: Statements;
  giveBack(): void;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: Parameters;
}

/** One read: its connection, its own while it lasts, and whether it is still wanted. */
export class ReadContext implements Statements {
  readonly #connection: Connection;
  readonly #statements: Statements;
  readonly #borrow: (() => Promise<Lane | undefined>) | undefined;
  readonly #lanes = new Set<Lane>();
  readonly #spanPlans = new Map<SpanFilter, SpanFilterPlan>();
  readonly #entityPlans = new Map<EntityFilter, EntityFilterPlan>();
  #isInSnapshot = false;
  #isReusable = true;
  #hasEnded = false;
  #isCancelled = false;

  readonly newest: NewestRowIds;
  /** Which blocks of spans a search can leave out. */
  readonly blocks: BlockFilters;
  /** Which rows of traces a look-up by ID can leave out; undefined: none. */
  readonly traceBlocks: TraceBlocks | undefined;
  /** Spans that need not be read from the database. */
  readonly recent: RecentSpans;
  /** Sums that need not be computed. */
  readonly sums: RangeSums;

  constructor(
    connection: Connection,
    newest: NewestRowIds,
    {
      blocks = new BlockFilters(),
      traceBlocks,
      recent = new RecentSpans(0),
      sums = new RangeSums(0),
      statements = statementsOf(connection),
      borrow,
    }: ReadAids = {},
  ) {
    this.#connection = connection;
    this.#statements = statements;
    this.#borrow = borrow;
    this.newest = newest;
    this.blocks = blocks;
    this.traceBlocks = traceBlocks;
    this.recent = recent;
    this.sums = sums;
  }

  /**
   * Whether another read may have the connection. A cancellation may also interrupt what begins or ends a snapshot, which
   * leaves a transaction that nobody ends, and in which every statement fails.
   */
  get isReusable(): boolean {
    return this.#isReusable;
  }

  /** Ends the running statement with an error, and those that would follow. Once the read has ended it does nothing. */
  cancel(): void {
    if (this.#hasEnded) return;
    this.#isCancelled = true;
    this.#connection.interrupt();
    for (const { connection } of this.#lanes) connection.interrupt();
  }

  /** From now on the connection is another's. */
  end(): void {
    this.#hasEnded = true;
  }

  run(sql: string, parameters?: Parameters): Promise<QueryResult> {
    return this.read(() => this.#statements.run(sql, parameters));
  }

  rows(sql: string, parameters?: Parameters): Promise<SqlValue[][]> {
    return this.read(() => this.#statements.rows(sql, parameters));
  }

  async read<Result>(read: (connection: Connection) => Promise<Result>): Promise<Result> {
    // DuckDB forgets an interrupt that comes between two statements.
    this.throwIfCancelled();
    try {
      return await read(this.#connection);
    } catch (error) {
      this.throwIfCancelled();
      throw error;
    }
  }

  /** Runs statements that all see the same commit. */
  inSnapshot<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.read(async (connection) => {
      try {
        await connection.run('BEGIN');
        this.#isInSnapshot = true;
        return await run();
      } finally {
        this.#isInSnapshot = false;
        await connection.run('ROLLBACK').catch(() => {
          this.#isReusable = false;
        });
      }
    });
  }

  /** Rows of one statement for each item, in the order of the items. */
  async rowsOfEach<Item>(items: readonly Item[], toStatement: (item: Item) => Statement): Promise<SqlValue[][]> {
    return (await this.rowsOfAll(items.map(toStatement))).flat();
  }

  /** Rows of each statement, in their order; two run at a time where there is a connection to spare. */
  async rowsOfAll(statements: readonly Statement[]): Promise<SqlValue[][][]> {
    const found: SqlValue[][][] = new Array(statements.length);
    let next = 0;
    const readNext = async (connection: Statements) => {
      while (next < statements.length) {
        const at = next++;
        const { sql, parameters } = statements[at]!;
        found[at] = await this.read(() => connection.rows(sql, parameters));
      }
    };
    // Others would see another commit than a snapshot's.
    const lane = statements.length > 1 && !this.#isInSnapshot ? await this.#borrow?.() : undefined;
    if (lane) this.#lanes.add(lane);
    try {
      // A lane goes back when none of its statements runs any more.
      const ends = await Promise.allSettled(
        [this.#statements, ...(lane ? [lane.statements] : [])].map((connection) =>
          readNext(connection).catch((error: unknown) => {
            next = statements.length;
            throw error;
          }),
        ),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    } finally {
      if (lane) {
        this.#lanes.delete(lane);
        lane.giveBack();
      }
    }
    return found;
  }

  /** The plan of a span filter, compiled once per read. */
  spanPlan(filter: SpanFilter): SpanFilterPlan {
    const plan = this.#spanPlans.get(filter) ?? compileSpanFilter(filter);
    this.#spanPlans.set(filter, plan);
    return plan;
  }

  /** The plan of a filter of sessions or traces, compiled once per read. */
  entityPlan(filter: EntityFilter): EntityFilterPlan {
    const plan = this.#entityPlans.get(filter) ?? compileEntityFilter(filter);
    this.#entityPlans.set(filter, plan);
    return plan;
  }

  get newestSpanRowId(): number {
    return this.newest.span;
  }

  throwIfCancelled(): void {
    if (this.#isCancelled) throw new SpandrelError('CANCELLED', 'the read was cancelled');
  }
}

import { expectPresent } from '../../base/expect-present.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import { compileEntityFilter, type EntityFilterPlan } from '../filter/compile-entity-filter.ts';
import { compileSpanFilter, type SpanFilterPlan } from '../filter/compile-span-filter.ts';
import { BlockFilters } from '../cache/block-filters.ts';
import { RangeAggregates } from '../cache/range-aggregates.ts';
import { RecentSpans } from '../cache/recent-spans.ts';
import type { TraceBlocks } from '../cache/trace-blocks.ts';
import type { ReadOptions } from '../contract/read-options.ts';
import {
  type Connection,
  type Parameters,
  type QueryResult,
  type SqlValue,
  type Statements,
  statementsOf,
} from '../duckdb/sql.ts';

/** The greatest stored row ids when a read began. */
export interface NewestRowIds {
  readonly span: number;
  readonly session: number;
}

/** Caches that reads use. A missing one changes no result. */
export interface ReadCaches {
  readonly blocks?: BlockFilters;
  /** Blocks of all stored traces. Without them, a read scans the IDs of all traces. */
  readonly traceBlocks?: TraceBlocks;
  readonly recent?: RecentSpans;
  readonly aggregates?: RangeAggregates;
}

/** Connections of a read besides its own, and prepared statements. */
export interface ReadConnections {
  /** Prepared statements of the read's connection. */
  readonly statements?: Statements;
  /** Lends a second connection if one is free. */
  readonly borrowConnection?: () => Promise<SecondaryConnection | undefined>;
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

/** A connection that a read has borrowed besides its own. */
export interface SecondaryConnection {
  readonly connection: Connection;
  readonly statements: Statements;
  release(): void;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: Parameters;
}

/** The state of one read: its connection, the caches, the plans of its filters, and whether it was cancelled. */
export class ReadContext implements Statements {
  readonly #connection: Connection;
  readonly #statements: Statements;
  readonly #borrowConnection: (() => Promise<SecondaryConnection | undefined>) | undefined;
  readonly #secondaries = new Set<SecondaryConnection>();
  readonly #spanPlans = new Map<SpanFilter, SpanFilterPlan>();
  readonly #entityPlans = new Map<EntityFilter, EntityFilterPlan>();
  #isInSnapshot = false;
  #isReusable = true;
  #hasEnded = false;
  #isCancelled = false;

  readonly newest: NewestRowIds;
  /** Tells which blocks of spans a search can skip. */
  readonly blocks: BlockFilters;
  /** Tells which rows of traces a search by ID can skip; undefined: none. */
  readonly traceBlocks: TraceBlocks | undefined;
  /** Recent spans, which need not be read from the database. */
  readonly recent: RecentSpans;
  /** Aggregates of time ranges in memory. */
  readonly aggregates: RangeAggregates;

  constructor(
    connection: Connection,
    newest: NewestRowIds,
    {
      blocks = new BlockFilters(),
      traceBlocks,
      recent = new RecentSpans(0),
      aggregates = new RangeAggregates(0),
      statements = statementsOf(connection),
      borrowConnection,
    }: ReadCaches & ReadConnections = {},
  ) {
    this.#connection = connection;
    this.#statements = statements;
    this.#borrowConnection = borrowConnection;
    this.newest = newest;
    this.blocks = blocks;
    this.traceBlocks = traceBlocks;
    this.recent = recent;
    this.aggregates = aggregates;
  }

  /**
   * Whether another read can use the connection. A cancellation may also interrupt the statement that begins or ends a
   * snapshot. The transaction then stays open, and every further statement in it fails.
   */
  get isReusable(): boolean {
    return this.#isReusable;
  }

  /** Ends the running statement and all further ones with an error. Does nothing after the end of the read. */
  cancel(): void {
    if (this.#hasEnded) return;
    this.#isCancelled = true;
    this.#connection.interrupt();
    for (const { connection } of this.#secondaries) connection.interrupt();
  }

  /** Marks the end of the read. Another read may use the connection from now on. */
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
    // DuckDB loses an interrupt that arrives between two statements.
    this.throwIfCancelled();
    try {
      return await read(this.#connection);
    } catch (error) {
      this.throwIfCancelled();
      throw error;
    }
  }

  /** Runs statements that see the same commit. */
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

  /** Rows of one statement per item, in the order of the items. */
  async rowsOfEach<Item>(items: readonly Item[], toStatement: (item: Item) => Statement): Promise<SqlValue[][]> {
    return (await this.rowsOfAll(items.map(toStatement))).flat();
  }

  /** Rows of each statement, in the order of the statements. Two statements run at a time if a second connection is free. */
  async rowsOfAll(statements: readonly Statement[]): Promise<SqlValue[][][]> {
    const found: SqlValue[][][] = new Array(statements.length);
    let next = 0;
    const readNext = async (connection: Statements) => {
      while (next < statements.length) {
        const at = next++;
        const { sql, parameters } = expectPresent(statements[at], 'the index is below the length');
        found[at] = await this.read(() => connection.rows(sql, parameters));
      }
    };
    // A second connection could see another commit than the snapshot.
    const secondary = statements.length > 1 && !this.#isInSnapshot ? await this.#borrowConnection?.() : undefined;
    if (secondary) this.#secondaries.add(secondary);
    try {
      // The secondary connection is released when none of its statements is running.
      const ends = await Promise.allSettled(
        [this.#statements, ...(secondary ? [secondary.statements] : [])].map((connection) =>
          readNext(connection).catch((error: unknown) => {
            next = statements.length;
            throw error;
          }),
        ),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    } finally {
      if (secondary) {
        this.#secondaries.delete(secondary);
        secondary.release();
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

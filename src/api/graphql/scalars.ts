import { GraphQLError, type GraphQLScalarType, type GraphQLSchema, Kind, valueFromASTUntyped } from 'graphql';
import { IDENTIFIER_PATTERN, isIdentifier } from '../../model/identifier.ts';
import { clampToSpanTime, formatUnixNano, parseDateTime } from '../../model/time/datetime.ts';

/**
 * Defines the scalars of the schema. Resolvers return a DateTime as nanoseconds since the epoch or as a Date. A received
 * DateTime is the decimal text of such nanoseconds, because values in documents are compiled as JSON.
 */
export function defineScalars(schema: GraphQLSchema): void {
  const dateTime = schema.getType('DateTime') as GraphQLScalarType;
  dateTime.serialize = (value) =>
    formatUnixNano(value instanceof Date ? BigInt(value.getTime()) * 1_000_000n : (value as bigint));
  dateTime.parseValue = toUnixNano;
  dateTime.parseLiteral = (node) => toUnixNano(node.kind === Kind.STRING ? node.value : undefined);
  const identifier = schema.getType('Identifier') as GraphQLScalarType;
  identifier.parseValue = toIdentifier;
  identifier.parseLiteral = (node) => toIdentifier(node.kind === Kind.STRING ? node.value : undefined);
  for (const name of ['SecretString', 'RedactedString']) {
    const secret = schema.getType(name) as GraphQLScalarType;
    secret.parseValue = toText;
    secret.parseLiteral = (node) => toText(node.kind === Kind.STRING ? node.value : undefined);
  }
  const json = schema.getType('JSON') as GraphQLScalarType;
  json.parseLiteral = (node, variables) => valueFromASTUntyped(node, variables);
}

function toIdentifier(value: unknown): string {
  if (typeof value === 'string' && isIdentifier(value)) return value;
  throw new GraphQLError(`Value is not an identifier: it must match ${IDENTIFIER_PATTERN}`);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new GraphQLError('Value is not a string');
}

function toUnixNano(value: unknown): string {
  const time = typeof value === 'string' ? parseDateTime(value) : { problem: 'input is not a string' };
  if ('problem' in time) throw new GraphQLError(`Value cannot represent a DateTime: ${time.problem}`);
  return String(clampToSpanTime(time.isNaive ? time.unixNano + localOffsetNano(time.unixNano) : time.unixNano));
}

/** Offset from local time to UTC. A time without an offset is in the server's time zone. */
const localOffsetNano = (unixNano: bigint): bigint =>
  BigInt(new Date(Number(unixNano / 1_000_000n)).getTimezoneOffset()) * 60_000_000_000n;

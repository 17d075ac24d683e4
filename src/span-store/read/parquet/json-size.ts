import { type ColumnType, TypeId } from '../../duckdb/sql.ts';

/** Bytes that are counted for a value of a type without texts, such as a number. */
const SCALAR_BYTES = 16;

/**
 * SQL expression for about the bytes of the JSON text of a value, without building the text: a file stores a repeated text once, so its
 * rows may be far larger than the file.
 */
export function jsonSize(expression: string, type: ColumnType, depth = 0): string {
  switch (type.typeId) {
    case TypeId.VARCHAR:
      return orZero(`strlen(${expression})`);
    case TypeId.BLOB:
      return orZero(`octet_length(${expression})`);
    case TypeId.LIST:
    case TypeId.ARRAY:
      return sizeOfList(expression, type.valueType, depth);
    case TypeId.MAP:
      return [
        sizeOfList(`map_keys(${expression})`, type.keyType, depth),
        sizeOfList(`map_values(${expression})`, type.valueType, depth),
      ].join(' + ');
    case TypeId.STRUCT:
      return type.entryTypes
        .map((entry, at) => jsonSize(`struct_extract_at(${expression}, ${at + 1})`, entry, depth))
        .join(' + ');
    default:
      return String(SCALAR_BYTES);
  }
}

function sizeOfList(list: string, type: ColumnType, depth: number): string {
  const item = `item_${depth}`;
  const size = jsonSize(item, type, depth + 1);
  if (/^\d+$/.test(size)) return orZero(`${size} * len(${list})`);
  return orZero(`list_sum(list_transform(${list}, lambda ${item}: ${size}))`);
}

const orZero = (expression: string): string => `coalesce(${expression}, 0)`;

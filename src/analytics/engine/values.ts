/** DuckDB's values as ours. */
import {
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { Column, Scalar } from '../contract.ts';

const TYPES: Partial<Record<DuckDBTypeId, Column['type']>> = {
  [DuckDBTypeId.BOOLEAN]: 'boolean',
  [DuckDBTypeId.TINYINT]: 'integer',
  [DuckDBTypeId.SMALLINT]: 'integer',
  [DuckDBTypeId.INTEGER]: 'integer',
  [DuckDBTypeId.BIGINT]: 'integer',
  [DuckDBTypeId.HUGEINT]: 'integer',
  [DuckDBTypeId.UTINYINT]: 'integer',
  [DuckDBTypeId.USMALLINT]: 'integer',
  [DuckDBTypeId.UINTEGER]: 'integer',
  [DuckDBTypeId.UBIGINT]: 'integer',
  [DuckDBTypeId.UHUGEINT]: 'integer',
  [DuckDBTypeId.FLOAT]: 'number',
  [DuckDBTypeId.DOUBLE]: 'number',
  [DuckDBTypeId.DECIMAL]: 'number',
  [DuckDBTypeId.DATE]: 'time',
  [DuckDBTypeId.TIMESTAMP]: 'time',
  [DuckDBTypeId.TIMESTAMP_S]: 'time',
  [DuckDBTypeId.TIMESTAMP_MS]: 'time',
  [DuckDBTypeId.TIMESTAMP_NS]: 'time',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'time',
};

export function columnType(type: DuckDBType): Column['type'] {
  return TYPES[type.typeId] ?? 'text';
}

/**
 * An integer too large for a number becomes its digits, as text, so that it stays exact. What is no number (an infinity)
 * becomes null. A time becomes ISO text, with `Z` where its type has a zone: `2026-03-01T05:00:00`.
 */
export function scalar(value: DuckDBValue): Scalar {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  }
  if (value === null || value === undefined) return null;
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  if (value instanceof DuckDBTimestampValue) return String(value).replace(' ', 'T');
  if (value instanceof DuckDBTimestampTZValue) return String(value).replace(' ', 'T').replace(/\+00$/, 'Z');
  return String(value);
}

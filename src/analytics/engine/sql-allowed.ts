import { NAME_TABLES } from '../sql/caller-sql.ts';

/**
 * The allow-list for a caller's SQL, in the terms of DuckDB's syntax tree. Everything else is refused, also what later versions
 * of DuckDB add.
 */
const words = (text: string, ...phrases: string[]): ReadonlySet<string> => new Set([...text.trim().split(/\s+/), ...phrases]);

export const ALLOWED_TABLES: ReadonlySet<string> = new Set(['views', ...NAME_TABLES]);

export const EXPRESSIONS = words(
  'COLUMN_REF CONSTANT FUNCTION WINDOW OPERATOR COMPARISON CONJUNCTION CAST CASE BETWEEN SUBQUERY STAR POSITIONAL_REFERENCE',
);

export const OPERATORS = words(`
  OPERATOR_NOT OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL OPERATOR_COALESCE OPERATOR_TRY COMPARE_IN COMPARE_NOT_IN GROUPING_FUNCTION`);

export const NODES = words(`
  SELECT_NODE SET_OPERATION_NODE BASE_TABLE SUBQUERY JOIN EMPTY EXPRESSION_LIST
  ORDER_MODIFIER LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING
  DECIMAL_TYPE_INFO`);

/** Of a moment and not of a local time. */
export const INSTANT_TYPE = 'TIMESTAMP WITH TIME ZONE';
export const INSTANT_FUNCTIONS = words('to_timestamp epoch epoch_ms epoch_us timezone');

/** Of a date or a local time. */
export const TIME_TYPES = words('DATE TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS');

/** Names without brackets that the engine answers with something of itself, where no column has them. */
export const SESSION_NAMES = words('current_user session_user user current_role current_schema current_database current_catalog');

export const TYPES = words(
  `
  NULL BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT FLOAT DOUBLE DECIMAL
  INTEGER_LITERAL STRING_LITERAL VARCHAR DATE TIME TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL`,
  INSTANT_TYPE,
);

/**
 * No function that reads settings, files, the catalogue or other sessions, that returns tables or lists, or that makes a short
 * text long: a single call obeys neither limits nor interrupts.
 */
export const FUNCTIONS = words(`
  + - * / // % ** ^ || & | << >> ~~ !~~ ~~* !~~* ~~~ @ ! ~
  like_escape not_like_escape ilike_escape not_ilike_escape
  count count_star count_if countif sum avg mean min max median mode quantile_cont quantile_disc any_value first last arbitrary
  arg_min arg_max min_by max_by bool_and bool_or string_agg group_concat listagg approx_count_distinct product geomean
  stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp regr_slope regr_intercept regr_r2 regr_count
  skewness kurtosis entropy mad favg fsum sum_no_overflow
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value fill
  abs ceil ceiling floor round trunc sign sqrt cbrt exp ln log log2 log10 pow power mod fdiv divide multiply subtract add
  greatest least isnan isinf isfinite pi random row
  if ifnull nullif typeof
  lower upper lcase ucase length len strlen substr substring left right trim ltrim rtrim replace translate concat concat_ws reverse
  contains starts_with ends_with prefix suffix position strpos instr split_part ascii unicode chr
  regexp_matches regexp_full_match regexp_replace regexp_extract
  date_trunc datetrunc date_part datepart date_diff datediff date_sub datesub date_add age last_day time_bucket
  strftime strptime try_strptime epoch epoch_ms epoch_us to_timestamp make_date make_time make_timestamp
  year month day quarter week weekofyear yearweek isoyear isodow dayofweek dayofmonth dayofyear weekday hour minute second millisecond
  microsecond dayname monthname era century decade millennium julian
  to_years to_quarters to_months to_weeks to_days to_hours to_minutes to_seconds to_milliseconds to_microseconds
  timezone`);

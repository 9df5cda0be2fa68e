/**
 * The columns of a stored view, used by the check of records, the Parquet parts, the questions and the documentation of the SQL
 * view. Personal data is not stored, except a keyed hash of the viewer, which is not public.
 */
export interface ViewColumn {
  readonly name: string;
  readonly sql: 'VARCHAR' | 'TIMESTAMP' | 'BOOLEAN' | 'BIGINT' | 'INTEGER' | 'UBIGINT';
  /** Path in the service's record ("View record" in the API document). */
  readonly field: string;
  /** Whether the SQL of `run_analytics_sql` may read it. */
  readonly public: boolean;
  readonly meaning: string;
}

/** The keyed hash of a viewer. SQL may count it, and use it in no other way (`engine/viewer-guard.ts`). */
export const VIEWER = {
  name: 'viewer',
  sql: 'UBIGINT',
  field: 'viewerId',
  public: false,
  meaning: 'keyed hash of the viewer; only count(DISTINCT viewer)',
} as const satisfies ViewColumn;

export const VIEW_COLUMNS = [
  { name: 'id', sql: 'VARCHAR', field: 'id', public: true, meaning: 'record identifier' },
  { name: 'ts', sql: 'TIMESTAMP', field: 'date', public: true, meaning: 'time of the view, UTC' },
  { name: 'video_key', sql: 'VARCHAR', field: 'videoKey', public: true, meaning: 'key of the video' },
  { name: 'channel_key', sql: 'VARCHAR', field: 'channelKey', public: true, meaning: 'key of the channel' },
  { name: 'project_key', sql: 'VARCHAR', field: 'projectKey', public: true, meaning: 'key of the project' },
  VIEWER,
  { name: 'started', sql: 'BOOLEAN', field: 'started', public: true, meaning: 'playback started' },
  { name: 'ended', sql: 'BOOLEAN', field: 'ended', public: true, meaning: 'playback ended' },
  { name: 'muted', sql: 'BOOLEAN', field: 'muted', public: true, meaning: 'muted' },
  { name: 'duration', sql: 'BIGINT', field: 'duration', public: true, meaning: 'duration; unit not documented' },
  { name: 'watch_time', sql: 'BIGINT', field: 'watchTime', public: true, meaning: 'watch time; unit not documented' },
  { name: 'plan_type', sql: 'INTEGER', field: 'planType', public: true, meaning: 'plan type' },
  { name: 'region_code', sql: 'VARCHAR', field: 'region', public: true, meaning: 'region code of the record; meaning not documented' },
  { name: 'browser', sql: 'VARCHAR', field: 'browser.family', public: true, meaning: 'browser' },
  { name: 'browser_major', sql: 'INTEGER', field: 'browser.major', public: true, meaning: 'major version of the browser' },
  { name: 'os', sql: 'VARCHAR', field: 'os.family', public: true, meaning: 'operating system' },
  { name: 'os_major', sql: 'INTEGER', field: 'os.major', public: true, meaning: 'major version of the operating system' },
  { name: 'device_type', sql: 'VARCHAR', field: 'device.type', public: true, meaning: 'type of the device' },
  { name: 'device_brand', sql: 'VARCHAR', field: 'device.brand', public: true, meaning: 'brand of the device' },
  { name: 'country', sql: 'VARCHAR', field: 'geo.country', public: true, meaning: 'country of the viewer, short code' },
  { name: 'continent', sql: 'VARCHAR', field: 'geo.continent', public: true, meaning: 'continent of the viewer, short code' },
  { name: 'region', sql: 'VARCHAR', field: 'geo.region', public: true, meaning: 'region of the viewer' },
  { name: 'city', sql: 'VARCHAR', field: 'geo.city', public: true, meaning: 'city of the viewer' },
  {
    name: 'embed_url',
    sql: 'VARCHAR',
    field: 'embed.url',
    public: true,
    meaning: 'page that embeds the video, without query, fragment, email addresses and sessions',
  },
  { name: 'embed_domain', sql: 'VARCHAR', field: 'embed.domain', public: true, meaning: 'host of that page, in lower case' },
] as const satisfies readonly ViewColumn[];

/** The column of names of hosts, which are one whatever their case. */
export const HOSTS = 'embed_domain';

/** Columns of numbers whose unit the service does not document. */
export const UNKNOWN_UNITS: readonly string[] = ['watch_time', 'duration'];

export const COLUMNS: readonly ViewColumn[] = [...VIEW_COLUMNS];

export const PUBLIC_COLUMNS: readonly ViewColumn[] = COLUMNS.filter((column) => column.public);

/** The columns that a caller's query has: one that counts viewers can't tell single views apart by their id. */
export const readableColumns = (countsViewers: boolean): readonly ViewColumn[] =>
  countsViewers ? [...PUBLIC_COLUMNS.filter(({ name }) => name !== 'id'), VIEWER] : PUBLIC_COLUMNS;

export const QUARTER_MS = 900_000;

/**
 * The quarter of an hour of a view, counted from 1970. Whole days, and the offsets of all time zones since 1972, are whole
 * quarters: counting by the few quarters takes a fifth of the time that counting by `ts` takes.
 */
export const QUARTER = { name: 'quarter', sql: 'INTEGER' } as const;

export const PART_COLUMNS: readonly Pick<ViewColumn, 'name' | 'sql'>[] = [...VIEW_COLUMNS, QUARTER];

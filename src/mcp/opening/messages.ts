/**
 * The messages of an opening, in the shapes that the SDK is known to take. Narrower than what it takes: what isn't
 * recognised here is no mistake, the server itself answers it.
 */

/** A check of what JSON gave. */
type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

/** A client's own words about itself may nest so deep. */
const MAX_DEPTH = 8;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isId: Check = (value) => isText(value) || Number.isSafeInteger(value);
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const is =
  (...values: readonly string[]): Check =>
  (value) =>
    isText(value) && values.some((candidate) => candidate === value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** An object with each of the `required` fields, and beside them none but the `optional` ones. */
function object(required: Checks, optional: Checks = {}): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  return (value) =>
    isObject(value) &&
    Object.keys(required).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, field]) => checks.get(name)?.(field) === true);
}

/** An object whose fields a client names as it likes. */
const record =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);

/** Anything of JSON, down to a depth. Its numbers may be too large for a double, which the SDK refuses. */
const json =
  (depth: number): Check =>
  (value) =>
    typeof value === 'object' && value !== null
      ? depth > 0 && (listOf(json(depth - 1))(value) || record(json(depth - 1))(value))
      : typeof value !== 'number' || Number.isFinite(value);

const isEmpty = object({});
const isJsonObject = record(json(MAX_DEPTH));

const isClientInfo = object(
  { name: isText, version: isText },
  {
    title: isText,
    description: isText,
    websiteUrl: isText,
    icons: listOf(object({ src: isText }, { mimeType: isText, sizes: listOf(isText), theme: is('light', 'dark') })),
  },
);

const isCapabilities = object(
  {},
  {
    roots: object({}, { listChanged: isFlag }),
    sampling: object({}, { context: isJsonObject, tools: isJsonObject }),
    elicitation: object({}, { form: object({}, { applyDefaults: isFlag }), url: isEmpty }),
    tasks: object(
      {},
      {
        list: isEmpty,
        cancel: isEmpty,
        requests: object({}, { sampling: object({}, { createMessage: isEmpty }), elicitation: object({}, { create: isEmpty }) }),
      },
    ),
    experimental: record(isJsonObject),
    extensions: record(isJsonObject),
  },
);

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const isLegacyMeta = object({}, { progressToken: isId });
const isEnvelope = object(
  { [VERSION]: isText, 'io.modelcontextprotocol/clientCapabilities': isCapabilities },
  { 'io.modelcontextprotocol/clientInfo': isClientInfo, progressToken: isId },
);

const REQUEST = { jsonrpc: is('2.0'), id: isId, method: isText };

interface Request<Params> {
  readonly id: string | number;
  readonly method: string;
  readonly params: Params;
}
export type InitializeRequest = Request<{ readonly protocolVersion: string }>;
export type LegacyRequest = Request<unknown>;
export type ModernRequest = Request<{ readonly _meta: { readonly [VERSION]: string } }>;

const initialize = object({
  ...REQUEST,
  method: is('initialize'),
  params: object({ protocolVersion: isText, capabilities: isCapabilities, clientInfo: isClientInfo }, { _meta: isLegacyMeta }),
});
const initialized = object({ jsonrpc: is('2.0'), method: is('notifications/initialized') }, { params: isEmpty });
const legacy = object(REQUEST, { params: object({}, { _meta: isLegacyMeta }) });
const modern = object({ ...REQUEST, params: object({ _meta: isEnvelope }) });

/** The handshake of the earlier era. */
export const isInitialize = (message: unknown): message is InitializeRequest => initialize(message);
export const isInitialized = (message: unknown): boolean => initialized(message);
/** Any request of the earlier era that has no arguments. */
export const isLegacyRequest = (message: unknown): message is LegacyRequest => legacy(message);
/** Any request of the newer era that has no arguments but its envelope. */
export const isModernRequest = (message: unknown): message is ModernRequest => modern(message);
export const versionOf = (request: ModernRequest): string => request.params._meta[VERSION];

// The types of what the tests use.
type Values = Readonly<Record<string, unknown>>;

export const REVISIONS: { readonly legacy: string; readonly modern: string };

export function envelope(capabilities?: Values): Values;

export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
}

interface RequestOptions {
  readonly onProgress?: (progress: { readonly progress: number; readonly total?: number; readonly message?: string }) => void;
  readonly signal?: AbortSignal;
}

export function converse(
  send: (message: Values) => void,
  options: { readonly era: 'legacy' | 'modern'; readonly capabilities?: Values },
): {
  request(method: string, params?: Values, options?: RequestOptions): Promise<Values>;
  take(message: Values): void;
  /** What the server says of itself. */
  open(): Promise<Values>;
};

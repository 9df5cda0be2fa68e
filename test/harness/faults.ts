import { createRandom } from '../../src/demo/random.ts';
import type { DemoRequest } from '../../src/demo/requests.ts';

/** A failure of one request. `processed` says whether the service carries the request out nevertheless. */
export type Fault =
  /** Answers `code`. A `body` object is sent as JSON, a text as HTML if it begins with `<`, '' as nothing; default a JSON message. */
  | {
      kind: 'status';
      code: number;
      body?: unknown;
      headers?: Record<string, string>;
      /** Seconds, or an HTTP-date. */
      retryAfter?: number | string;
      /** Default false. */
      processed?: boolean;
    }
  /** The connection is reset; nothing was done. */
  | { kind: 'reset-before' }
  /** The request is carried out, then the connection is reset without an answer. */
  | { kind: 'reset-after' }
  /** Waits before the work, or after it with `processFirst`, even if the client has disconnected. */
  | { kind: 'delay'; ms: number; processFirst?: boolean }
  /** Carried out; the answer breaks off after half its body. */
  | { kind: 'truncate' }
  /** Never answers. `processed` defaults to false. */
  | { kind: 'hang'; processed?: boolean }
  /** Carried out; headers and half the body, then silence. */
  | { kind: 'hang-body' }
  /** A 200 with a wrong body. `bytes` is the size of `huge` and, unpacked, of `gzip-bomb`. `processed` defaults to true. */
  | { kind: 'garbage'; shape: GarbageShape; bytes?: number; processed?: boolean }
  /** Redirects; nothing was done. `code` defaults to 302. */
  | { kind: 'redirect'; location: string; code?: number }
  /** Carried out; the body is sent `bytes` (default 16) at a time, every `ms` (default 20). */
  | { kind: 'drip'; bytes?: number; ms?: number };

export type GarbageShape = 'html' | 'not-json' | 'half-json' | 'wrong-shape' | 'null' | 'empty' | 'huge' | 'gzip-bomb';

/** The requests that a rule applies to; every given field must match. A text `path` must equal the request's path. */
interface FaultMatch {
  api?: 'main' | 'stats';
  method?: string;
  path?: RegExp | string;
  when?: (request: DemoRequest) => boolean;
}

export interface FaultRule {
  match?: FaultMatch;
  /** How many matching requests fail. */
  times?: number;
  /** How many matching requests pass first. */
  skip?: number;
  do: Fault | ((request: DemoRequest) => Fault);
}

interface RandomFaults {
  match?: FaultMatch;
  /** Share (0–1) of the matching requests that fail. */
  rate: number;
  seed?: number;
  faults: readonly Fault[];
}

interface ActiveRule {
  match: FaultMatch | undefined;
  left: number;
  skip: number;
  draw: (request: DemoRequest) => Fault | undefined;
}

/** Which requests fail, and how. The first rule that matches a request applies, in the order they were given. */
export class FaultPlan {
  #rules: ActiveRule[] = [];

  /** The next `times` (default 1) matching requests fail. */
  next(rule: FaultRule): void {
    const { match, times = 1, skip = 0, do: fault } = rule;
    this.#rules.push({ match, left: times, skip, draw: typeof fault === 'function' ? fault : () => fault });
  }

  /** Every matching request fails until `clear`. */
  always(rule: Omit<FaultRule, 'times'>): void {
    this.next({ ...rule, times: Number.POSITIVE_INFINITY });
  }

  /** A share of the matching requests fails, the same ones for the same seed and order of requests. */
  random(rule: RandomFaults): void {
    const random = createRandom(rule.seed ?? 1);
    const draw = (): Fault | undefined => (random.chance(rule.rate) ? random.pick(rule.faults) : undefined);
    this.#rules.push({ match: rule.match, left: Number.POSITIVE_INFINITY, skip: 0, draw });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault of this request, if any; it counts as used. */
  take(request: DemoRequest): Fault | undefined {
    for (const rule of this.#rules) {
      if (rule.left <= 0 || !isMatch(rule.match, request)) continue;
      if (rule.skip > 0) {
        rule.skip -= 1;
        continue;
      }
      const fault = rule.draw(request);
      if (fault === undefined) continue;
      rule.left -= 1;
      return fault;
    }
    return undefined;
  }
}

function isMatch({ api, method, path, when }: FaultMatch = {}, request: DemoRequest): boolean {
  if (api !== undefined && api !== request.api) return false;
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (typeof path === 'string' && path !== request.path) return false;
  if (path instanceof RegExp && request.path.search(path) < 0) return false;
  return when?.(request) ?? true;
}

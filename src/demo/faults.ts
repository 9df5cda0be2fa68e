import { createRandom } from './random.ts';
import type { DemoRequest } from './requests.ts';

/** Something that goes wrong. `processed` says whether the request takes effect nevertheless. */
export type Fault =
  /** Answers `code`. A `body` object is sent as JSON, a text as HTML when it begins with `<`, '' as nothing; default a JSON message. */
  | {
      kind: 'status';
      code: number;
      body?: unknown;
      contentType?: string;
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
  /** Waits, then works and answers as usual, even if the client has left. With `processFirst` the waiting comes after the work. */
  | { kind: 'delay'; ms: number; processFirst?: boolean }
  /** Carried out; the answer breaks off after half its body. */
  | { kind: 'truncate' }
  /** Never answers. `processed` defaults to false. */
  | { kind: 'hang'; processed?: boolean }
  /** Carried out; headers and half the body, then silence. */
  | { kind: 'hang-body' }
  /** A 200 that is none. `bytes` is the size for `huge` and, unpacked, for `gzip-bomb`. `processed` defaults to true. */
  | { kind: 'garbage'; shape: GarbageShape; bytes?: number; processed?: boolean }
  /** Points elsewhere; nothing was done. `code` defaults to 302. */
  | { kind: 'redirect'; location: string; code?: number }
  /** Carried out; the body comes in pieces of `bytes` (default 16), one every `ms` (default 20). */
  | { kind: 'drip'; bytes?: number; ms?: number };

export type GarbageShape = 'html' | 'not-json' | 'half-json' | 'wrong-shape' | 'null' | 'empty' | 'huge' | 'gzip-bomb';

/** Which requests a rule is for; every given part must fit. A text `path` must equal the request's path. */
interface FaultMatch {
  api?: 'main' | 'stats';
  method?: string;
  path?: RegExp | string;
  when?: (request: DemoRequest) => boolean;
}

export interface FaultRule {
  match?: FaultMatch;
  /** How many matching requests it strikes. */
  times?: number;
  /** How many matching requests it lets pass first. */
  skip?: number;
  do: Fault;
}

export interface RandomFaults {
  match?: FaultMatch;
  /** Share (0–1) of the matching requests that are struck. */
  rate: number;
  seed?: number;
  faults: readonly Fault[];
}

interface Pending {
  match: FaultMatch | undefined;
  left: number;
  skip: number;
  draw: () => Fault | undefined;
}

/** What is to go wrong, and when. The first rule that fits a request strikes, in the order they were given. */
export class FaultPlan {
  #rules: Pending[] = [];

  /** Strikes the next `times` (default 1) matching requests. */
  next(rule: FaultRule): void {
    this.#rules.push({ match: rule.match, left: rule.times ?? 1, skip: rule.skip ?? 0, draw: () => rule.do });
  }

  /** Strikes every matching request until cleared. */
  always(rule: Omit<FaultRule, 'times'>): void {
    this.next({ ...rule, times: Number.POSITIVE_INFINITY });
  }

  /** Strikes a share of the matching requests, the same ones for the same seed and order of requests. */
  random(rule: RandomFaults): void {
    const random = createRandom(rule.seed ?? 1);
    const draw = (): Fault | undefined => (random.chance(rule.rate) ? random.pick(rule.faults) : undefined);
    this.#rules.push({ match: rule.match, left: Number.POSITIVE_INFINITY, skip: 0, draw });
  }

  /** Forgets every rule. */
  clear(): void {
    this.#rules = [];
  }

  /** The fault for this request, if any; counts it as struck. */
  take(request: DemoRequest): Fault | undefined {
    for (const rule of this.#rules) {
      if (rule.left <= 0 || !isMatch(rule.match, request)) continue;
      if (rule.skip > 0) {
        rule.skip -= 1;
        continue;
      }
      const fault = rule.draw();
      if (fault === undefined) continue;
      rule.left -= 1;
      return fault;
    }
    return undefined;
  }
}

function isMatch(match: FaultMatch | undefined, request: DemoRequest): boolean {
  if (match === undefined) return true;
  if (match.api !== undefined && match.api !== request.api) return false;
  if (match.method !== undefined && match.method.toUpperCase() !== request.method) return false;
  if (typeof match.path === 'string' && match.path !== request.path) return false;
  if (match.path instanceof RegExp && request.path.search(match.path) < 0) return false;
  return match.when?.(request) ?? true;
}

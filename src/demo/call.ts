import type { Behaviour } from './behaviour.ts';
import type { DemoRequest, Reply } from './requests.ts';
import type { DemoWorld } from './world.ts';

/** What a route works with. */
export interface Call {
  world: DemoWorld;
  behaviour: Behaviour;
  request: DemoRequest;
  /** The path's variable part, decoded; '' where it has none. */
  id: string;
}

/**
 * Who may call a route. `key`: the API key. `list`: the same, where lists want it. `videos`: the API key or the access
 * token. `move`: the access token where there is one, else the API key. `stats`: as `behaviour.statsAuth` says.
 */
export type Access = 'key' | 'list' | 'videos' | 'move' | 'stats';

export interface Route {
  api: 'main' | 'stats';
  method: string;
  /** Segments parted by `/`; one in braces is variable. */
  path: string;
  access: Access;
  handle: (call: Call) => Reply;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

import type { Behaviour } from './behaviour.ts';
import type { DemoRequest, Reply } from './requests.ts';
import type { DemoWorld } from './world.ts';

export interface DemoCall {
  world: DemoWorld;
  behaviour: Behaviour;
  request: DemoRequest;
  /** The path's variable segment, decoded; '' where it has none. */
  id: string;
}

/**
 * The credential that a route requires. `key`: the API key. `videos`: the API key or the access token. `move`: the access
 * token where there is one, else the API key.
 */
export type Access = 'key' | 'videos' | 'move' | 'none';

export interface Endpoint {
  api: 'main' | 'stats';
  method: string;
  /** May have one variable segment, `{id}`. */
  path: string;
  access: Access;
  handle: (call: DemoCall) => Reply;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

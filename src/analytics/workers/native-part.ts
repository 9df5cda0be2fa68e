import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Whether the native part of a package for this machine is installed. Loads nothing.
 * @param chain packages, each of which depends on the next; the last one depends on the native part
 * @param parts possible names of the native part
 */
export function hasNativePart(chain: readonly string[], parts: readonly string[]): boolean {
  const canResolve = (from: string, name: string): boolean => {
    try {
      return createRequire(from).resolve(name) !== '';
    } catch {
      return false;
    }
  };
  try {
    // Each is resolved from the location of the one before, as when it is loaded.
    const last = chain.reduce((from, name) => createRequire(from).resolve(name), join(import.meta.dirname, 'here.cjs'));
    return parts.some((part) => canResolve(last, part));
  } catch {
    return false;
  }
}

export const MACHINE = `${process.platform}-${process.arch}`;

import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A package with a native part for each platform in a separate package. */
export interface NativePackage {
  /** Packages, each of which depends on the next; the last one depends on the native part. */
  readonly chain: readonly string[];
  /** Possible names of the native part on this machine. */
  readonly parts: readonly string[];
}

/** Whether the part for this machine is installed. Loads nothing. */
export function hasNativePart({ chain, parts }: NativePackage): boolean {
  try {
    // Each is resolved from the location of the one before, as when it is loaded.
    const last = chain.reduce((from, name) => createRequire(from).resolve(name), join(import.meta.dirname, 'here.cjs'));
    return parts.some((part) => isThere(createRequire(last), part));
  } catch {
    return false;
  }
}

function isThere(from: NodeJS.Require, name: string): boolean {
  try {
    return from.resolve(name) !== '';
  } catch {
    return false;
  }
}

/** This machine in the names of such packages. */
export const MACHINE = `${process.platform}-${process.arch}`;

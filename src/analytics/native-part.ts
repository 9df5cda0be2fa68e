import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A package that comes with a native part for each platform, in a package of its own. */
export interface NativePackage {
  /** Packages, each of which depends on the next; the last one on the native part. */
  readonly chain: readonly string[];
  /** Names that the native part may have on this machine. */
  readonly parts: readonly string[];
}

/** Whether the part for this machine is installed, as far as that shows without loading anything. */
export function hasNativePart({ chain, parts }: NativePackage): boolean {
  try {
    // Each is looked for from where the one before it lies, as it would be when it is loaded.
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

/** What a machine is called in the names of such packages. */
export const MACHINE = `${process.platform}-${process.arch}`;

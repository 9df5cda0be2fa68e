/**
 * Closes what a test opened, the last first: `atEnd(() => server.close())`. A clean-up that throws fails the test, so the
 * harness can check every test: no credential in the output, nothing but JSON-RPC on stdout.
 */
import { afterEach } from 'vitest';

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  const failures: unknown[] = [];
  for (const close of closers.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
});

/** Runs after the test that is running now. */
export function atEnd(close: () => Promise<void> | void): void {
  closers.push(close);
}

import { hasNativePart, MACHINE } from '../native-part.ts';

/** Whether the renderer of charts is there for this machine. Loads nothing. */
export const isRendererInstalled = (): boolean =>
  hasNativePart({
    chain: ['@resvg/resvg-js'],
    parts: ['', '-gnu', '-musl', '-gnueabihf', '-msvc', '-eabi'].map((abi) => `@resvg/resvg-js-${MACHINE}${abi}`),
  });

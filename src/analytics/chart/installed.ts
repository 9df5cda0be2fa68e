import { hasNativePart, MACHINE } from '../native-part.ts';

/** Whether the chart renderer for this machine is installed. Loads nothing. */
export const isRendererInstalled = (): boolean =>
  hasNativePart({
    chain: ['@resvg/resvg-js'],
    parts: ['', '-gnu', '-musl', '-gnueabihf', '-msvc', '-eabi'].map((abi) => `@resvg/resvg-js-${MACHINE}${abi}`),
  });

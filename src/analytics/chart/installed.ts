import { hasNativePart, MACHINE } from '../workers/native-part.ts';

/** Whether the chart renderer for this machine is installed. Loads nothing. */
export const isRendererInstalled = (): boolean =>
  hasNativePart(
    ['@resvg/resvg-js'],
    ['', '-gnu', '-musl', '-gnueabihf', '-msvc', '-eabi'].map((abi) => `@resvg/resvg-js-${MACHINE}${abi}`),
  );

/** `1,200`. */
export const inFull = (count: number): string => count.toLocaleString('en-US');

/** `1 video`, `1,200 videos`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${inFull(count)} ${count === 1 ? one : many}`;

/** The files of the journal on disk. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** Every file and folder below a folder. */
export function everythingIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...everythingIn(path)] : [path];
  });
}

/** The files of changes, oldest first. */
export function changeFiles(dataDir: string): string[] {
  const files = everythingIn(dataDir).filter((path) => /\bchg-[^/\\]*\.jsonl$/.test(path) && statSync(path).isFile());
  return files.toSorted((a, b) => (a < b ? -1 : 1));
}

const LineSchema = z.looseObject({ type: z.string(), id: z.string().optional() });
const IntentSchema = z.looseObject({
  type: z.literal('intent'),
  changeId: z.string(),
  items: z.array(z.looseObject({ id: z.string(), after: z.record(z.string(), z.unknown()) })),
});

export function linesOf(file: string): z.output<typeof LineSchema>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => LineSchema.parse(JSON.parse(line)));
}

export const intentOf = (file: string) => IntentSchema.parse(linesOf(file)[0]);

/** Makes the file look as if the process that wrote it had ended. */
export function abandon(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(`"pid":${process.pid},`, '"pid":999999999,'));
}

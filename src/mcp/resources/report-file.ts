import type { Workspace } from '../workspace.ts';

/** A resource's content, without its address. */
export type FileContent = { readonly mimeType: string } & ({ readonly text: string } | { readonly blob: string });

/** As JSON, in one message; the protocol's limit is 10 MiB. */
const MAX_BYTES = 7 * 1_024 * 1_024;

/** A saved report. A table that is too long for a message is cut, with the path of the whole file below it. */
export async function reportFile(id: string, { reports }: Workspace): Promise<FileContent | undefined> {
  const found = await reports.read(id, MAX_BYTES);
  if (found === undefined) return undefined;
  if (found.type === 'image/png') return { mimeType: found.type, blob: found.data.toString('base64') };
  const escaped = Buffer.byteLength(JSON.stringify(found.text));
  const keep = escaped <= MAX_BYTES ? found.text : wholeLines(found.text, Math.floor((found.text.length * MAX_BYTES) / escaped));
  const isCut = found.isCut || keep.length < found.text.length;
  const note = `# Cut: ${Buffer.byteLength(keep)} of ${found.bytes} bytes. The whole file: ${found.file}\n`;
  return { mimeType: found.type, text: isCut ? `${keep}${note}` : keep };
}

const wholeLines = (text: string, length: number): string => text.slice(0, text.lastIndexOf('\n', length - 1) + 1);

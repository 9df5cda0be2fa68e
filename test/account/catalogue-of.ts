import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Catalogue, parseCatalogue } from '../../src/account/catalogue.ts';

/** The catalogue in a file with this text. */
export async function catalogueOf(text: string | Buffer, name = 'videos.csv'): Promise<Catalogue> {
  const folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
  try {
    const file = join(folder, name);
    await writeFile(file, text);
    return await parseCatalogue(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

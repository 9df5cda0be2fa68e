import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Catalogue, parseCatalogue } from '../../src/account/catalogue.ts';
import { freshHome } from '../harness/start.ts';

/** The catalogue in a file with this text. */
export async function catalogueOf(text: string | Buffer, name = 'videos.csv'): Promise<Catalogue> {
  const file = join(freshHome(), name);
  await writeFile(file, text);
  return parseCatalogue(file);
}

import { type Catalogue, parseCatalogue } from '../../src/account/catalogue.ts';

/** The catalogue that a file with this text makes, read in pieces of so many bytes. */
export function catalogueOf(text: string | Buffer, pieceBytes = 65_536, file = 'videos.csv'): Promise<Catalogue> {
  const bytes = Buffer.from(text);
  return parseCatalogue(file, {
    async *pieces() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
    whole: async () => bytes,
  });
}

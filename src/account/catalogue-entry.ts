/** One video of the catalogue. */
export interface CatalogueEntry {
  readonly id?: string;
  readonly key?: string;
  readonly title?: string;
}

/** Values in the demo's records that belong to viewers. Their forms are unlike those of anything else in the account. */
const PERSONAL =
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}\b|2001:db8::[0-9a-f]+|\b(?:vwr|vew|cvw|cli|usr)-[0-9a-f]{12,}|\+1 202-555-01\d\d/g;

/** The distinct personal values in texts, without those that the user wrote. */
export function personalValues(texts: readonly string[], ofUser: string): Set<string> {
  const found = new Set<string>();
  for (const text of texts) for (const [value] of text.matchAll(PERSONAL)) if (!ofUser.includes(value)) found.add(value);
  return found;
}

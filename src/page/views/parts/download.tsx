import { useSource } from '../data/page-context.tsx';

/** Saves a file of the server, by its path behind that of the API. A conversation has none. */
export function Download({ path, words }: { readonly path: string; readonly words: string }) {
  const address = useSource().fileAddress(path);
  return address === undefined ? null : (
    <a class="button" href={address} download>
      {words}
    </a>
  );
}

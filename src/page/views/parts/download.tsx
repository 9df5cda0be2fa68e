import { useState } from 'preact/hooks';
import { useSource } from '../data/page-context.tsx';

/** Saves a file of the server, by its path behind that of the API. A conversation has none. */
export function Download({ path, words }: { readonly path: string; readonly words: string }) {
  const source = useSource();
  const [problem, setProblem] = useState('');
  const address = source.fileAddress(path);
  if (address === undefined) return null;
  const save = (event: Event): void => {
    if (source.save === undefined) return;
    event.preventDefault();
    setProblem('');
    source.save(path).catch((error: unknown) => setProblem(error instanceof Error ? error.message : 'It could not be saved.'));
  };
  return (
    <>
      <a class="button" href={address} download onClick={save}>
        {words}
      </a>
      {problem !== '' && <span role="alert">{problem}</span>}
    </>
  );
}

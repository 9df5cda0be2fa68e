import { useMemo, useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../data/announce.ts';
import { Notice } from '../parts/basics.tsx';
import { counted } from '../parts/words.ts';
import { analyse, columnOf } from './analyse.ts';
import { AnalysisView } from './analysis-view.tsx';
import { type ReadList, readList } from './read-list.ts';
import type { VideoIndex } from './video-index.ts';

interface Props {
  readonly index: VideoIndex;
  readonly present: ReadonlySet<string>;
  readonly onAdd: (keys: readonly string[]) => void;
  readonly onReplace: (keys: readonly string[]) => void;
}

const MAX_FILE_BYTES = 20_000_000;

interface Input {
  readonly text: string;
  /** Of a file that was read. */
  readonly fileName?: string;
  readonly problem?: string;
}

/** Pasted text or a file, and at once what it would add. */
export function AddVideos({ index, present, onAdd, onReplace }: Props) {
  const [input, setInput] = useState<Input>({ text: '' });
  const [chosenColumn, setChosenColumn] = useState<number>();
  const announce = useAnnounce();
  const read = useMemo(() => readSafely(input.text, index), [input.text, index]);
  const column = read.list === undefined ? undefined : (chosenColumn ?? columnOf(read.list, index));
  const analysis = useMemo(
    () => (read.list === undefined || column === undefined ? undefined : analyse(read.list, column, present, index)),
    [read.list, column, present, index],
  );
  const become = (next: Input): void => {
    setInput(next);
    setChosenColumn(undefined);
  };
  const takeFile = (file: File): void => {
    readFile(file).then(become, (thrown: unknown) =>
      become({ text: '', problem: thrown instanceof Error ? thrown.message : String(thrown) }),
    );
  };
  const take = (add: (keys: readonly string[]) => void): void => {
    if (analysis === undefined) return;
    add(analysis.keys);
    announce(`${counted(analysis.keys.length, 'video')} added.`);
    become({ text: '' });
  };
  const problem = input.problem ?? read.problem;
  return (
    <DropZone onFile={takeFile}>
      <label class="paste">
        <span>
          Paste keys, ids or titles, <span class="quiet">one a line, in display order</span>
        </span>
        <textarea
          rows={5}
          spellcheck={false}
          value={input.fileName === undefined ? input.text : ''}
          placeholder={input.fileName === undefined ? '' : `From ${input.fileName}`}
          onInput={({ currentTarget }) => become({ text: currentTarget.value })}
        />
      </label>
      <FileButton onFile={takeFile} />
      <div aria-live="polite">
        {problem !== undefined && (
          <Notice tone="caution">
            <p>{problem}</p>
          </Notice>
        )}
        {read.list !== undefined && (
          <AnalysisView
            list={read.list}
            analysis={analysis}
            fileName={input.fileName}
            hasCatalogue={index.hasCatalogue}
            column={column}
            onColumn={setChosenColumn}
          />
        )}
      </div>
      {analysis !== undefined && (
        <p class="buttons">
          <button type="button" class="primary" disabled={analysis.keys.length === 0} onClick={() => take(onAdd)}>
            Add {counted(analysis.keys.length, 'video')}
          </button>
          {present.size > 0 && analysis.keys.length + analysis.alreadyThere > 0 && (
            <button type="button" onClick={() => replaceAll()}>
              Replace the list by these {(analysis.keys.length + analysis.alreadyThere).toLocaleString()}
            </button>
          )}
          <button type="button" class="plain" onClick={() => become({ text: '' })}>
            Clear
          </button>
        </p>
      )}
    </DropZone>
  );

  function replaceAll(): void {
    if (read.list === undefined || column === undefined) return;
    const { keys } = analyse(read.list, column, new Set(), index);
    onReplace(keys);
    announce(`The list now holds these ${counted(keys.length, 'video')}.`);
    become({ text: '' });
  }
}

function readSafely(text: string, index: VideoIndex): { readonly list?: ReadList; readonly problem?: string } {
  if (text.trim() === '') return {};
  try {
    return { list: readList(text, index.isKnown) };
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

async function readFile(file: File): Promise<Input> {
  if (file.size > MAX_FILE_BYTES)
    throw new Error(`${file.name} is larger than 20 MB. Nothing was read: leave only the column of keys in it.`);
  const text = await file.text();
  if (text.includes('\0')) throw new Error(`${file.name} is no text. Nothing was read: save it as CSV, text or JSON first.`);
  if (text.trim() === '') throw new Error(`${file.name} is empty.`);
  return { text, fileName: file.name };
}

function FileButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <p class="file">
      <input
        ref={input}
        class="unseen"
        type="file"
        accept=".csv,.tsv,.txt,.json,.jsonl,text/*,application/json"
        aria-label="A file with the list"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
          currentTarget.value = '';
        }}
      />
      <button type="button" onClick={() => input.current?.click()}>
        Choose a file …
      </button>
      <span class="quiet">or drop one here: CSV, text or JSON. It is read in this browser.</span>
    </p>
  );
}

function DropZone({ onFile, children }: { readonly onFile: (file: File) => void; readonly children: preact.ComponentChildren }) {
  const [isOver, setIsOver] = useState(false);
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  return (
    <section
      class={`panel drop-zone${isOver ? ' is-over' : ''}`}
      aria-label="Paste or drop a list"
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        const file = event.dataTransfer?.files[0];
        if (file === undefined) return;
        event.preventDefault();
        onFile(file);
      }}
    >
      {children}
    </section>
  );
}

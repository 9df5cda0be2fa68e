import { useRef, useState } from 'preact/hooks';
import type { ListRequest, ReadList, VideoSet } from '../../contract.ts';
import { useActions, useAnnounce, useRoles } from '../data/page-context.tsx';
import { useAnswer } from '../data/use-answer.ts';
import { Callout } from '../parts/basics.tsx';
import { countInWords, number } from '../parts/words.ts';
import { type Analysis, AnalysisView } from './analysis-view.tsx';

interface Props {
  readonly seen: readonly string[];
  readonly present: ReadonlySet<string>;
  readonly onAdd: (videos: VideoSet) => void;
  readonly onReplace: (videos: VideoSet) => void;
}

const MAX_FILE_BYTES = 20_000_000;
const EMPTY: ListRequest = { text: '' };

/** Pasted text or a file, and at once what it would add. */
export function AddVideos({ seen, present, onAdd, onReplace }: Props) {
  const { readList } = useActions();
  const announce = useAnnounce();
  const [request, setRequest] = useState(EMPTY);
  const [fileProblem, setFileProblem] = useState<string>();
  const isEmpty = request.text.trim() === '';
  const { answer: list, error, isLatest } = useAnswer(isEmpty ? undefined : request, readList);
  const become = (next: ListRequest, problem?: string): void => {
    setRequest(next);
    setFileProblem(problem);
  };
  const takeFile = (file: File): void => {
    readFile(file).then(become, (error: Error) => become(EMPTY, error.message));
  };
  const take = (add: (videos: VideoSet) => void, videos: VideoSet, words: string): void => {
    add(videos);
    announce(words);
    become(EMPTY);
  };
  const problem = fileProblem ?? (isEmpty ? undefined : (error ?? list?.problem));
  const read = isEmpty || list === undefined ? undefined : analysisOf(list, present, seen);
  return (
    <DropZone onFile={takeFile}>
      <label class="paste">
        <span>
          Paste keys, ids or titles, <span class="quiet">one a line, in display order</span>
        </span>
        <textarea
          rows={5}
          spellcheck={false}
          value={request.fileName === undefined ? request.text : ''}
          placeholder={request.fileName === undefined ? '' : `From ${request.fileName}`}
          onInput={({ currentTarget }) => become({ text: currentTarget.value })}
        />
      </label>
      {/* Before what was read is told in full, which is long: in sight on a phone too. */}
      {isLatest && read !== undefined && read.list.problem === undefined && (
        <p class="cluster">
          <button
            type="button"
            class="primary"
            disabled={read.added.keys.length === 0}
            onClick={() => take(onAdd, read.added, `${countInWords(read.added.keys.length, 'video')} added.`)}
          >
            Add {countInWords(read.added.keys.length, 'video')}
          </button>
          {present.size > 0 && read.all.keys.length > 0 && (
            <button
              type="button"
              onClick={() => take(onReplace, read.all, `The list now holds these ${countInWords(read.all.keys.length, 'video')}.`)}
            >
              Replace the list by these {number(read.all.keys.length)}
            </button>
          )}
          <button type="button" class="plain" onClick={() => become(EMPTY)}>
            Clear
          </button>
        </p>
      )}
      <FileButton onFile={takeFile} />
      <div aria-live="polite">
        {problem !== undefined && (
          <Callout tone="caution">
            <p>{problem}</p>
          </Callout>
        )}
        {read !== undefined && (
          <AnalysisView analysis={read} fileName={request.fileName} onColumn={(column) => setRequest({ ...request, column })} />
        )}
        {!isEmpty && !isLatest && <p class="quiet">Reading …</p>}
      </div>
    </DropZone>
  );
}

function analysisOf(list: ReadList, present: ReadonlySet<string>, seen: readonly string[]): Analysis {
  const inViews = new Set(seen);
  const all = { ...list, unknown: list.unknown.filter((key) => !inViews.has(key)) };
  const isNew = (key: string): boolean => !present.has(key);
  return { list, all, added: { ...all, keys: all.keys.filter(isNew), unknown: all.unknown.filter(isNew) } };
}

async function readFile(file: File): Promise<ListRequest> {
  if (file.size > MAX_FILE_BYTES)
    throw new Error(`${file.name} is larger than 20 MB. Nothing was read: leave only the column of keys in it.`);
  const text = await file.text();
  if (text.trim() === '') throw new Error(`${file.name} is empty.`);
  return { text, fileName: file.name };
}

function FileButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const { isShared } = useRoles();
  return (
    <p class="cluster small">
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
      <span class="quiet">
        or drop one here: CSV, text or JSON. {isShared ? 'The server reads it, and keeps nothing of it.' : 'It stays on this computer.'}
      </span>
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

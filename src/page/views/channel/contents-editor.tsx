import { useMemo } from 'preact/hooks';
import type { ChangeView, ChannelView, VideoSet } from '../../contract.ts';
import { useActions, usePageContext } from '../data/page-context.tsx';
import { useBusy } from '../data/use-busy.ts';
import { useSending } from '../data/use-sending.ts';
import { Bar } from '../parts/bar.tsx';
import { Empty } from '../parts/basics.tsx';
import { NoTitles } from '../parts/video-row.tsx';
import { countInWords } from '../parts/words.ts';
import { changeAddress, goTo } from '../router.ts';
import { AddVideos } from './add-videos.tsx';
import { useListActions } from './list-actions.ts';
import { ListTools } from './list-tools.tsx';
import { PickVideos } from './pick-videos.tsx';
import { isSaid, ProjectsChoice, projectsOf } from './projects-choice.tsx';
import { editorRows } from './rows.ts';
import { SortableList } from './sortable-list.tsx';
import { statements, useEditor } from './use-editor.ts';

/** A person says what a channel holds: lists are pasted, dropped or picked, brought into order, and then stated. */
export function ContentsEditor({ channel }: { readonly channel: ChannelView }) {
  const { state: sendStatement } = useActions();
  const { mayAct } = usePageContext();
  const rows = useMemo(() => editorRows({ ...channel, keys: channel.videoKeys ?? [] }), [channel.videoKeys]);
  const editor = useEditor(channel.id, { rows, projects: projectsOf(channel.projectKeys) });
  const present = useMemo(() => new Set(editor.rows.map(({ key }) => key)), [editor.rows]);
  const missing = useMemo(() => channel.seen.filter((key) => !present.has(key)).length, [channel.seen, present]);
  const actions = useListActions(editor);
  useBusy(editor.past.length > 0);
  const { send, isSending, error } = useSending((change: ChangeView) => {
    statements.set(change.changeId, { channelId: channel.id, stated: editor });
    goTo(changeAddress(change.changeId));
  });
  const add = (videos: VideoSet): void =>
    editor.edit([...editor.rows, ...editorRows(videos)], `adding ${countInWords(videos.keys.length, 'video')}`, editor.rows.length);
  const { projects } = editor;
  const hasProjects = projects.kind === 'these';
  // What it holds stands first.
  const choice = <ProjectsChoice said={projects} onSay={editor.sayProjects} />;
  const state = (): void => send(() => sendStatement(channel.id, { videoKeys: editor.rows.map(({ key }) => key), projects }));
  return (
    <>
      <div class="columns">
        <div>
          <section class="stack" aria-labelledby="list">
            <h2 id="list">The list, in display order</h2>
            {editor.rows.length > 0 ? (
              <>
                <ListTools editor={editor} actions={actions} />
                {!channel.hasCatalogue && <NoTitles />}
                <SortableList editor={editor} actions={actions} hasTitles={channel.hasCatalogue} />
                <KeysHelp />
              </>
            ) : (
              <>
                <Empty title={hasProjects ? 'No single videos are in the list.' : 'Nothing is in the list yet.'}>
                  {hasProjects && 'What it holds are the projects beside this list. '}
                  Paste the channel’s videos, drop a file, or pick from those seen in its views.
                </Empty>
                {editor.past.length > 0 && (
                  <button type="button" onClick={actions.undo}>
                    Undo {editor.past.at(-1)?.what}
                  </button>
                )}
              </>
            )}
          </section>
        </div>
        <div class="stack column-side">
          {hasProjects && choice}
          <AddVideos
            seen={channel.seen}
            present={present}
            onAdd={add}
            onReplace={(videos) => editor.edit(editorRows(videos), 'the replacement', 0)}
          />
          <PickVideos channel={channel} present={present} onAdd={add} />
          {!hasProjects && choice}
        </div>
      </div>
      <Bar
        label="State the contents"
        error={error}
        above={
          <p class="small">
            {missing > 0 && (
              <strong class="tone-caution final">
                ! {countInWords(missing, 'seen video')} {missing === 1 ? 'is' : 'are'} not in the list.{' '}
              </strong>
            )}
            Later changes send this list, and a video missing from it drops out then, for good.
          </p>
        }
        lead={
          <p class="bar-explanation quiet">
            <strong>Nothing in the account changes now.</strong> Next, you see how the list compares with the views, and confirm.
          </p>
        }
      >
        {mayAct && (
          <button type="button" class="primary" disabled={isSending || (editor.rows.length === 0 && !isSaid(projects))} onClick={state}>
            {isSending
              ? 'Sending …'
              : `This is what it holds now${editor.rows.length === 0 ? '' : `: ${countInWords(editor.rows.length, 'video')}`}`}
          </button>
        )}
      </Bar>
    </>
  );
}

function KeysHelp() {
  return (
    <p class="keys-help quiet small" id="keys">
      Drag rows, or by keyboard: arrows go, <kbd>Space</kbd> selects, <kbd>Shift</kbd> + arrows select several, <kbd>Alt</kbd> +{' '}
      <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Home</kbd> <kbd>End</kbd> move, <kbd>Delete</kbd> removes, <kbd>Ctrl</kbd> + <kbd>Z</kbd> takes back.
    </p>
  );
}

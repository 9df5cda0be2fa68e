import { cleanText } from '../../text/sanitize-text.ts';

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The names that complete it. */
  readonly names?: 'channels' | 'projects';
}

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly text: (args: Readonly<Record<string, string>>) => string;
}

const MAX_ARGUMENT = 500;

/** An argument as quoted data; empty if the user left it out. */
const labelled = (label: string, text = ''): string =>
  text.trim() === '' ? '' : `${label}: ${JSON.stringify(cleanText(text, MAX_ARGUMENT))}.`;
const lines = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');

export const prompts: readonly Prompt[] = [
  {
    name: 'reorganise-channels',
    title: 'Reorganise channels',
    description: 'Plan and carry out changes to channels, with one confirmation.',
    arguments: [
      { name: 'goal', description: 'What should be different afterwards', required: true },
      { name: 'channel', description: 'A channel to begin with', required: false, names: 'channels' },
    ],
    text: ({ goal, channel }) =>
      lines(
        'Reorganise channels of the video hosting account.',
        labelled('Goal', goal),
        labelled('Begin with the channel', channel),
        'Look at the channels concerned with get_channel; list_channels finds those that I did not name exactly.',
        'Put everything into one update_channels call, so that I confirm once. Where a channel’s contents are not known, ask me for the full list of its video keys; never guess one.',
        'Show me the preview before anything is changed, and afterwards what was done and how to undo it.',
      ),
  },
  {
    name: 'analytics-report',
    title: 'Report on views',
    description: 'Answer a question about views with numbers.',
    arguments: [
      { name: 'question', description: 'What you want to know', required: true },
      { name: 'period', description: 'For example last month, or 2026-03', required: false },
      { name: 'channel', description: 'Only this channel', required: false, names: 'channels' },
    ],
    text: ({ question, period, channel }) =>
      lines(
        'Answer a question about the views of the video hosting account.',
        labelled('Question', question),
        labelled('Period', period),
        labelled('Only the channel', channel),
        'Where something rose or fell, explain_change tells which values account for it; query_analytics with chart draws its rows too, and draw_chart those of an earlier answer.',
        'Say which period, time zone and filters the numbers are for, and whether they are complete. The units of durations are not documented: do not name any.',
      ),
  },
  {
    name: 'bulk-move',
    title: 'Move videos in bulk',
    description: 'Move many videos into a project and report each that failed.',
    arguments: [
      { name: 'targetProject', description: 'Where they go', required: true, names: 'projects' },
      { name: 'fromProject', description: 'Where they are now; needed to undo', required: false, names: 'projects' },
      { name: 'videos', description: 'Their ids, or where the list of them is', required: false },
    ],
    text: ({ targetProject, fromProject, videos }) =>
      lines(
        'Move videos into another project of the video hosting account.',
        labelled('Into the project', targetProject),
        labelled('From the project', fromProject),
        labelled('Videos', videos),
        'Videos can’t be listed through this API: if I gave no list of them, ask me for it.',
        'Show me the plan before anything is moved. Afterwards list every video that failed or whose outcome is not known.',
      ),
  },
];

import { type Sentence, sentence } from '../../text/sentence.ts';

/** What this API does not have. */
interface NotThere {
  /** The words of a name by which an assistant looks for it. */
  readonly words: RegExp;
  /** What to say of such a name: what there is instead. */
  readonly instead: Sentence;
  /** As the instructions name it to every assistant. */
  readonly inShort?: string;
}

const NOT_THERE: readonly NotThere[] = [
  {
    words: /^(list|search|find|get|upload|import|download|rename|update|edit|create) videos?\b/,
    instead: sentence`Videos can’t be listed, looked up, uploaded or renamed through this API. Their ids and keys come from the user, from the video catalogue (VIDEO_HOSTING_VIDEO_CATALOGUE), or from views (query_analytics by video).`,
    inShort: 'listing, uploading, renaming or deleting videos',
  },
  {
    words: /^(delete|destroy|trash)\b|^remove (channel|project|playlist|folder)s?$/,
    instead: sentence`Channels, projects and videos can’t be deleted through this API. update_channels can empty a channel, rename it or set privateLinkEnabled; the rest is done in the service’s dashboard.`,
    inShort:
      'deleting channels or projects (a channel can be emptied, renamed or set to a private link; the rest is done in the dashboard)',
  },
  {
    words: /\b(dis)?(like|comment|rating|review|reaction|share|favou?rite|subscriber|follower)s?\b/,
    instead: sentence`The data has no likes, comments, ratings or shares; plays, completions and watch_time tell how a video was watched.`,
    inShort: 'likes, comments, ratings',
  },
  {
    words: /^(viewer|visitor|user|client user|person|people)( (id|name|email|key))?s?$|^ip( address)?$/,
    instead: sentence`Viewers have no names or IP addresses here and can’t be told apart: unique_viewers counts them. Collected emails are not linked to viewers or views.`,
    inShort: 'names and IP addresses of viewers',
  },
  {
    words: /^(send|mail)\b|newsletter/,
    instead: sentence`No mail can be sent. get_collected_emails writes the addresses to a file for people (exportAs), where VIDEO_HOSTING_FILES_DIR is set.`,
    inShort: 'sending mail',
  },
  {
    words: /^confirm(ed|(ation)? token)?$/,
    instead: sentence`A change is confirmed by confirm_change alone, with the changeId, confirmationToken and summary of its preview.`,
  },
  {
    words: /^confirm change$/,
    instead: sentence`confirm_change is there only where VIDEO_HOSTING_CONFIRM is ask or token; elsewhere no tokens are given out, and check_setup says how changes are confirmed.`,
  },
];

/** What is not in this API, for the instructions. */
export const NOT_IN_API = NOT_THERE.flatMap(({ inShort }) => inShort ?? []).join('; ');

/** What the view records have not, for the tools that read them. */
export const NOT_IN_VIEWS = 'No likes, comments, ratings or names of viewers.';

/** What of a project this API can't do, for the description of its creation. */
export const PROJECTS_STAY = 'It can’t be renamed, changed or deleted through this API.';

/** What to say of the name of a tool, an argument or a value that is not there because the API has nothing like it. */
export function notThere(name: string): Sentence | undefined {
  const words = name
    .slice(0, 200)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[\s_-]+/g, ' ')
    .toLowerCase();
  return NOT_THERE.find((one) => one.words.test(words))?.instead;
}

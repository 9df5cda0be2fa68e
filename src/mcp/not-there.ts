/** What assistants look for and this API does not have: the words of such a name, and what there is instead. */
const NOT_THERE: readonly (readonly [words: RegExp, sentence: string])[] = [
  [
    /^(delete|destroy|trash)\b|^remove (channel|project|playlist|folder)s?$/,
    'Channels, projects and videos can’t be deleted through this API. update_channels can empty a channel, rename it or set privateLinkEnabled; the rest is done in the service’s dashboard.',
  ],
  [
    /^(list|search|find|get|upload|import|download|rename|update|edit|create) videos?\b/,
    'Videos can’t be listed, looked up, uploaded or renamed through this API. Their ids and keys come from the user, from the video catalogue (VIDEO_HOSTING_VIDEO_CATALOGUE), or from views (query_analytics by video).',
  ],
  [
    /\b(dis)?(like|comment|rating|review|reaction|share|favou?rite|subscriber|follower)s?\b/,
    'The data has no likes, comments, ratings or shares; plays, completions and watch_time tell how a video was watched.',
  ],
  [
    /^(viewer|visitor|user|client user|person|people)( (id|name|email|key))?s?$|^ip( address)?$/,
    'Viewers have no names or IP addresses here and can’t be told apart: unique_viewers counts them. Collected emails are not linked to viewers or views.',
  ],
  [
    /^confirm(ed|(ation)? token)?$/,
    'A change is confirmed by confirm_change alone, with the changeId, confirmationToken and summary of its preview.',
  ],
  [
    /^confirm change$/,
    'confirm_change is there only where VIDEO_HOSTING_CONFIRM is ask or token; elsewhere no tokens are given out, and check_setup says how changes are confirmed.',
  ],
  [
    /^(send|mail)\b|newsletter/,
    'No mail can be sent. get_collected_emails writes the addresses to a file for people (exportAs), where VIDEO_HOSTING_FILES_DIR is set.',
  ],
];

/** What to say of the name of a tool, an argument or a value that is not there because the API has nothing like it. */
export function notThere(name: string): string | undefined {
  const words = name
    .slice(0, 200)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[\s_-]+/g, ' ')
    .toLowerCase();
  return NOT_THERE.find(([pattern]) => pattern.test(words))?.[1];
}

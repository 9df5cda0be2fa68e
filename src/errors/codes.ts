import { ownCommand, toReaders, toTakeEffect } from '../text/own-command.ts';
import { sentence } from '../text/sentence.ts';

/** Whether a caller may repeat a call after an error: as it was, after a change, or never. */
export type Retry = 'safe' | 'after-change' | 'never';

export interface ErrorRow {
  readonly retry: Retry;
  /** What to do next. */
  readonly hint: string;
  /** The hints of this error name tools and arguments: of no use to a person. */
  readonly isForAssistants?: true;
  /** What its hints tell only whoever runs the server can do. */
  readonly isForOperator?: true;
  /** What a person does who did not set this server up, where the hints are about settings. */
  readonly person?: string;
}

const STAYS_SO = 'It may be over soon; if it stays so, tell whoever set up this server.';

/** Every error of this program: whether to try again, and what to do next. Code compares `error.code`, never the message. */
export const ERRORS = {
  // arguments
  invalid_arguments: { retry: 'after-change', isForAssistants: true, hint: 'Correct the named fields and call again.' },
  not_found: { retry: 'after-change', isForAssistants: true, hint: 'List the records and use an id, key or exact name from the list.' },
  ambiguous_reference: { retry: 'after-change', isForAssistants: true, hint: 'Call again with the id or key of the one that is meant.' },
  // settings
  settings_missing: {
    person: 'Whoever set up this server can put its settings right.',
    retry: 'after-change',
    isForOperator: true,
    get hint() {
      return sentence`Set the named variables and ${toTakeEffect()}.`;
    },
  },
  settings_invalid: {
    person: 'Whoever set up this server can put its settings right.',
    retry: 'after-change',
    isForOperator: true,
    get hint() {
      return sentence`Correct the named settings and ${toTakeEffect()}.`;
    },
  },
  catalogue_unusable: {
    person: 'Whoever set up this server can put the file of video titles right.',
    retry: 'after-change',
    isForOperator: true,
    hint: 'Correct the file that VIDEO_HOSTING_VIDEO_CATALOGUE names, or unset it.',
  },
  file_refused: { retry: 'after-change', hint: 'Use a file inside the folder that VIDEO_HOSTING_FILES_DIR names.' },
  client_config: { retry: 'after-change', hint: 'Nothing was written there. Correct it and run the same command again.' },
  people_unusable: {
    retry: 'after-change',
    hint: 'Put the named file right on the machine of the server. It is looked at again at the next request.',
  },
  people_refused: { retry: 'after-change', hint: 'The file of people is as it was.' },
  account_joined: {
    retry: 'safe',
    hint: 'Do it once more: what is kept of the account is there then. If that ends in the same way, start the program anew.',
  },
  // responses of the service
  service_validation: {
    retry: 'after-change',
    isForAssistants: true,
    hint: 'Go by what the service said: correct what it named, then call again.',
  },
  unauthorized: {
    person: 'Whoever set up this server can give it a key that is accepted.',
    retry: 'after-change',
    isForOperator: true,
    get hint() {
      return sentence`Check VIDEO_HOSTING_API_KEY: correct it and ${toTakeEffect('VIDEO_HOSTING_API_KEY')}.`;
    },
  },
  forbidden: {
    person: 'An admin of the account can give this server’s key the right to; or whoever set up this server can give it another key.',
    retry: 'never',
    hint: 'A manager is limited to some projects. Ask an admin of the account, or set VIDEO_HOSTING_API_KEY to a credential that may.',
  },
  service_not_found: {
    person: 'See in the dashboard whether it is still there. If it is, this server’s key may not see it.',
    retry: 'after-change',
    hint: 'See the lists for what this credential has access to. If every call answers so, check VIDEO_HOSTING_BASE_URL; it ends before /v1.',
  },
  rate_limited: { retry: 'safe', person: STAYS_SO, hint: 'Wait, then try again.' },
  service_failed: { retry: 'safe', person: STAYS_SO, hint: 'Try again later.' },
  unexpected_status: {
    person: STAYS_SO,
    retry: 'never',
    hint: 'Go by what the service said. If it answers so again, check the API’s address (VIDEO_HOSTING_BASE_URL, VIDEO_HOSTING_STATS_URL), or ask whoever runs the service.',
  },
  unexpected_body: {
    person: STAYS_SO,
    retry: 'safe',
    isForOperator: true,
    hint: 'Try again later. If it stays so, check that VIDEO_HOSTING_BASE_URL (for analytics VIDEO_HOSTING_STATS_URL) is the address of the API itself, with no proxy or login page before it.',
  },
  response_too_large: { retry: 'never', hint: 'Ask for less: a smaller page or a narrower filter.' },
  redirect_refused: {
    person: 'Whoever set up this server can give it the new address of the service.',
    retry: 'after-change',
    isForOperator: true,
    hint: 'Set VIDEO_HOSTING_BASE_URL (for analytics VIDEO_HOSTING_STATS_URL) to the final address.',
  },
  // the connection
  unreachable: {
    person: STAYS_SO,
    retry: 'safe',
    isForOperator: true,
    hint: 'Check VIDEO_HOSTING_BASE_URL (for analytics VIDEO_HOSTING_STATS_URL) and the network, then try again. Where a proxy leads out, HTTPS_PROXY has to be set where these are.',
  },
  timed_out: { retry: 'safe', person: STAYS_SO, hint: 'Try again later.' },
  connection_lost: { retry: 'safe', person: STAYS_SO, hint: 'Try again; if it breaks again, check the network and any proxy on the way.' },
  cancelled: { retry: 'safe', hint: 'Call again if it is still wanted.' },
  // changes
  contents_unknown: {
    retry: 'after-change',
    isForAssistants: true,
    hint: 'Ask the user for the channel’s whole list of video keys in display order. State what it holds now with currentVideoKeys (and currentProjectKeys, [] for none) beside the change, or of many channels with state_contents; state a new list with setVideoKeys. Never guess it.',
  },
  running_elsewhere: { retry: 'safe', isForAssistants: true, hint: 'Wait for it with get_change, or end it with stop_change.' },
  not_resumable: { retry: 'never', isForAssistants: true, hint: 'See get_change for what of it was not done, and ask for that anew.' },
  not_undoable: { retry: 'never', isForAssistants: true, hint: 'Make the wanted state with a new change instead.' },
  not_permitted: {
    retry: 'never',
    isForAssistants: true,
    hint: 'Tell the user. Whoever runs this server gives roles, and a colleague who has the role may ask for it.',
  },
  not_approved: { retry: 'never', isForAssistants: true, hint: 'A change needs an approval that this server gave out itself.' },
  // analytics
  chart_unavailable: {
    person: 'The numbers are complete without it. Whoever set up this server can install what is missing.',
    retry: 'after-change',
    isForOperator: true,
    hint: 'The numbers are complete without it. To get pictures, install this server anew, with optional packages.',
  },
  chart_failed: {
    retry: 'after-change',
    hint: 'The rows are complete in the report; go by them. Another kind of chart, or fewer rows, may be drawn.',
  },
  analytics_unavailable: {
    person: 'Everything else works. Whoever set up this server can install what is missing.',
    retry: 'never',
    isForOperator: true,
    hint: 'Everything else works. Analytics needs the package @duckdb/node-bindings-<platform>-<arch> of this server’s machine: install the server anew, without leaving out optional packages.',
  },
  analytics_failed: { retry: 'safe', hint: 'Ask again; if it fails again, see the server’s log, and whether the disk is full.' },
  views_gone: { retry: 'safe', hint: 'Ask again: they are read from the service again.' },
  store_unreachable: {
    person: 'Nothing of what was kept is lost. Try again later; if it stays so, tell whoever set up this server.',
    retry: 'safe',
    isForOperator: true,
    hint: 'See that the ClickHouse server that VIDEO_HOSTING_ANALYTICS_STORE names and all shards of its cluster run, then try again; nothing of what was kept is lost.',
  },
  store_unready: {
    person: 'Whoever set up this server can make the store of views ready.',
    retry: 'after-change',
    isForOperator: true,
    get hint() {
      return toReaders(
        () =>
          sentence`Run \`${ownCommand('store init')}\` with the settings of this server, once for a store (VIDEO_HOSTING_ANALYTICS_STORE).`,
        sentence`Have the tables of the store made with the settings of this server, once for a store (VIDEO_HOSTING_ANALYTICS_STORE).`,
      );
    },
  },
  store_refused: {
    person: 'Whoever set up this server can put right how it signs in to the store of views.',
    retry: 'after-change',
    isForOperator: true,
    hint: 'Check the user in VIDEO_HOSTING_ANALYTICS_STORE, VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD, and what the user may do there.',
  },
  store_incomplete: {
    person: 'Whoever set up this server can restore what is missing in the store of views.',
    retry: 'after-change',
    isForOperator: true,
    get hint() {
      return toReaders(
        () => sentence`A shard has lost views. Restore it, or remove the time with \`${ownCommand('forget')}\` and have it read again.`,
        sentence`A shard has lost views. Restore it, or remove the time and have it read again.`,
      );
    },
  },
  sql_refused: {
    retry: 'after-change',
    isForAssistants: true,
    hint: 'Write one SELECT in DuckDB’s SQL over views, channels, projects and videos; the description of run_analytics_sql names the columns.',
  },
  query_too_heavy: {
    retry: 'after-change',
    isForAssistants: true,
    hint: 'Ask for a shorter span, filter earlier, aggregate before joining, or use query_analytics.',
  },
  journal_failed: {
    person:
      'Whoever set up this server can let it write to its folder, or make room on its disk. Before this is asked for again, see what became of the change.',
    retry: 'after-change',
    isForOperator: true,
    hint: 'Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR), with space left on the disk. Before it is asked for again, see what became of the change.',
  },
  data_folder_failed: {
    person: 'Whoever set up this server can let it use its folder again, or make room on its disk.',
    retry: 'after-change',
    isForOperator: true,
    hint: 'Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR), with space left on the disk, then ask again.',
  },
  temp_folder_failed: {
    person: 'Whoever set up this server can let it use its folder again, or make room on its disk.',
    retry: 'after-change',
    isForOperator: true,
    hint: 'Let this server write to the folder for temporary files, with space left on the disk, or set TMPDIR (on Windows TEMP) to another.',
  },
  internal: { retry: 'never', hint: 'This is a defect of this server; its log has the details.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

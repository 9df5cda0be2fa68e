import { ERRORS, type ErrorCode, type ErrorRow, type Retry } from './errors/codes.ts';
import { toOperator } from './text/own-command.ts';
import { asSentence, inQuotes, joined, type Own, type Sentence, sentence } from './text/sentence.ts';

/** A wrong argument or field. */
export interface FieldProblem {
  /** For example `changes[2].name`. */
  readonly field: Sentence;
  /** What was wrong and what was expected, in one sentence. */
  readonly problem: Sentence;
  /** The problem names the record that it is about. */
  readonly isNamed?: true;
  /** The argument is given once for several records, and wrong for all of them: it is told once, without a name. */
  readonly isForAll?: true;
  /** How many wrong values it tells of, where that is more than one. */
  readonly count?: number;
  /** The record that it names, which the account does not have, or not for this credential. */
  readonly missing?: MissingRecord;
}

export interface MissingRecord {
  readonly what: 'channel' | 'project';
  /** As the caller named it. */
  readonly reference: string;
}

export interface ErrorFacts {
  /** HTTP status of the response. */
  readonly status?: number;
  /** Method and path of the request, without query and body: `GET /v1/channels`. */
  readonly operation?: string;
  /** Whether that request may change the account. */
  readonly isChange?: boolean;
  /** Of a request: what went wrong in words alone, without method, path and status. */
  readonly words?: Sentence;
  /** A code that `words` leaves out, for whoever runs the server: `ECONNRESET`. */
  readonly detail?: Sentence;
  /** The service's message, sanitized and bounded. */
  readonly serviceMessage?: string;
  readonly invalidVideoKeys?: readonly string[];
  /** Problem details of the service (RFC 9457). */
  readonly problem?: { readonly type?: string; readonly title?: string; readonly status?: number; readonly traceId?: string };
  /** A single one's problem is in the message. */
  readonly fields?: readonly FieldProblem[];
  /** Whether the service may have carried out the request. */
  readonly outcome?: 'nothing-sent' | 'not-done' | 'not-known';
  /** Delay that the service asked for. */
  readonly retryAfterMs?: number;
  /** Requests sent, retries counted. */
  readonly attempts?: number;
  /** The service does for a JWT alone what it was asked for, as far as its answers tell. */
  readonly wantsJwt?: true;
  /** What is kept was written by a newer version of this program: it is not damaged, and stays as it is. */
  readonly isNewer?: true;
  /** When the credential expired that was refused: ISO 8601. */
  readonly expired?: string;
}

interface ErrorOptions<Hint> {
  readonly facts?: ErrorFacts;
  readonly hint?: Hint | undefined;
  /** What a person does, where the row of its code has other words. */
  readonly person?: Sentence | undefined;
  readonly cause?: unknown;
}

/** The one error class, whose type parameters are those of its constructor’s texts. Its message is safe to show: no secrets, no personal data, and strangers' text sanitized and quoted. */
export class VideoHostingError<Message extends string = string, Hint extends string = string> extends Error {
  override readonly name = 'VideoHostingError';
  declare readonly message: Sentence;
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;
  /** What to do next. */
  readonly hint: Sentence;
  /** What a person does who did not set this server up, where the hint is for whoever did. */
  readonly person: Sentence | undefined;

  constructor(code: ErrorCode, message: Message & Own<Message>, options: ErrorOptions<Hint & Own<Hint>> = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.facts = options.facts ?? {};
    this.hint = asSentence(options.hint ?? ERRORS[code].hint);
    const row: ErrorRow = ERRORS[code];
    this.person = options.person ?? (row.person === undefined ? undefined : asSentence(row.person));
  }

  /** The same for whoever asked, who may be somebody else than whoever runs this server. */
  get hintForCaller(): Sentence {
    const row: ErrorRow = ERRORS[this.code];
    return row.isForOperator ? toOperator(this.hint) : this.hint;
  }

  get retry(): Retry {
    return ERRORS[this.code].retry;
  }

  /** What a person does next; undefined where the hint is for assistants. */
  get advice(): Sentence | undefined {
    return this.person ?? this.adviceAtTerminal;
  }

  /** The same for whoever runs a command of this program, and can change its settings. */
  get adviceAtTerminal(): Sentence | undefined {
    const row: ErrorRow = ERRORS[this.code];
    return row.isForAssistants ? undefined : this.hint;
  }

  /** What whoever set this server up does, where others read `advice`, with the codes that came back. */
  get setup(): Sentence | undefined {
    if (this.person === undefined || this.person === this.hint) return undefined;
    const { status, detail, problem: { traceId } = {} } = this.facts;
    const codes = [
      ...(status === undefined ? [] : [sentence`status ${status}`]),
      ...(detail === undefined ? [] : [detail]),
      ...(traceId === undefined ? [] : [sentence`trace ${inQuotes(traceId, traceId.length)}`]),
    ];
    return codes.length === 0 ? this.hint : sentence`What came back: ${joined(codes, ', ')}. ${this.hint}`;
  }

  /** What went wrong, for what is told of a change. */
  get reason(): Sentence {
    return this.facts.words ?? this.message;
  }
}

/** A refusal before anything was sent. */
export const refusal = <Message extends string, Hint extends string>(
  code: ErrorCode,
  message: Message & Own<Message>,
  hint?: Hint & Own<Hint>,
): VideoHostingError => new VideoHostingError(code, asSentence(message), { facts: { outcome: 'nothing-sent' }, hint: asSentence(hint) });

/** Of what is kept: this version can’t read it, and does nothing by it. `what`: its subject, as “chg-… waits for a person, and” has it. */
export const writtenByNewer = (what: Sentence, hint: Sentence, code: ErrorCode = 'not_found'): VideoHostingError =>
  new VideoHostingError(code, sentence`${what} was ${BY_NEWER}, so nothing is done by it here.`, {
    facts: { outcome: 'nothing-sent', isNewer: true },
    hint,
  });

/** Behind “was”, of a file that is as it was written. */
export const BY_NEWER = sentence`written by a newer version of this program`;

/** For `catch`: undefined for what was refused or failed outside; a defect of this server is thrown on. */
export function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof VideoHostingError) return undefined;
  throw error;
}

/** The error of a cancelled call. By default, nothing was sent. */
export function cancelledError(facts: ErrorFacts = { outcome: 'nothing-sent' }): VideoHostingError {
  return new VideoHostingError('cancelled', 'The call was cancelled.', { facts });
}

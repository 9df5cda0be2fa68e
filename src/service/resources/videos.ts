import * as z from 'zod';
import type { Approval } from '../approval.ts';
import type { Http } from '../http.ts';
import type { ProjectId, VideoId } from '../ids.ts';
import { path } from '../path.ts';
import { maybe } from '../response-schema.ts';

/** Answer of a move: `ok` is false when one or more videos failed; which ones is not told. */
export const MovedSchema = z.looseObject({ ok: z.boolean() });
export type Moved = z.output<typeof MovedSchema>;

/** Answer of a CTA copy. What `data` holds is not documented. */
export const CtaCopiedSchema = z.looseObject({
  ok: z.boolean(),
  message: maybe(z.string()),
  data: maybe(z.record(z.string(), z.unknown())),
});
export type CtaCopied = z.output<typeof CtaCopiedSchema>;

/** Video ids in one move, and targets in one CTA copy ("Limits"). */
export const MAX_IDS_PER_MOVE = 1_000;
export const MAX_TARGETS_PER_CTA_COPY = 100;

/** "Move videos between projects" and "Copy CTA to videos" in the API document. Both take the access token where there is one. */
export function videoEndpoints(http: Http) {
  return {
    /** Moves up to 1,000 videos into a project. Documented as idempotent, so it is retried. `ok: false` is an answer, no error. */
    move(approval: Approval, projectId: ProjectId, videoIds: readonly VideoId[], signal?: AbortSignal): Promise<Moved> {
      return http.send({
        method: 'POST',
        path: path`/v1/videos/change-project`,
        body: { projectId, videoIds },
        retry: 'idempotent',
        credential: 'token',
        patient: true,
        expect: MovedSchema,
        approval,
        signal,
      });
    },

    /** Copies all CTAs of a video to up to 100 others. Not documented as idempotent, so it is never sent twice. */
    copyCta(approval: Approval, source: VideoId, targetVideos: readonly VideoId[], signal?: AbortSignal): Promise<CtaCopied> {
      return http.send({
        method: 'POST',
        path: path`/v1/videos/${source}/cta/copy`,
        body: { targetVideos },
        retry: 'never',
        credential: 'token',
        patient: true,
        expect: CtaCopiedSchema,
        approval,
        signal,
      });
    },
  };
}

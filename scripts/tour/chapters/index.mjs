import { analytics } from './analytics.mjs';
import { careful } from './careful.mjs';
import { emails } from './emails.mjs';
import { lookAround } from './look-around.mjs';
import { moveVideos } from './move-videos.mjs';
import { reorganise } from './reorganise.mjs';

/** The tour's chapters in order: `{ name, title, run(guide) }`. */
export const chapters = [lookAround, reorganise, analytics, emails, moveVideos, careful];

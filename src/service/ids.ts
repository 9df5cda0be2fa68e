import * as z from 'zod';

/** Numbers are read as text, save those that JSON can't have carried exactly. */
function textOf(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

const identifier = z.string().min(1);

/** Identifiers and keys are different things here, and none may stand for another: hence the brands. */
export const ChannelIdSchema = z.preprocess(textOf, identifier.brand<'ChannelId'>());
export type ChannelId = z.output<typeof ChannelIdSchema>;

export const ChannelKeySchema = z.preprocess(textOf, identifier.brand<'ChannelKey'>());
export type ChannelKey = z.output<typeof ChannelKeySchema>;

export const ProjectIdSchema = z.preprocess(textOf, identifier.brand<'ProjectId'>());
export type ProjectId = z.output<typeof ProjectIdSchema>;

export const ProjectKeySchema = z.preprocess(textOf, identifier.brand<'ProjectKey'>());
export type ProjectKey = z.output<typeof ProjectKeySchema>;

export const VideoIdSchema = z.preprocess(textOf, identifier.brand<'VideoId'>());
export type VideoId = z.output<typeof VideoIdSchema>;

export const VideoKeySchema = z.preprocess(textOf, identifier.brand<'VideoKey'>());
export type VideoKey = z.output<typeof VideoKeySchema>;

export const TemplateKeySchema = z.preprocess(textOf, identifier.brand<'TemplateKey'>());
export type TemplateKey = z.output<typeof TemplateKeySchema>;

export const PlanIdSchema = z.preprocess(textOf, identifier.brand<'PlanId'>());

import * as z from 'zod';

/** Numbers are read as text, save those that JSON can't have carried exactly. */
function textOf(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

declare const kind: unique symbol;
/** A text that says in its type what it identifies. */
type Identifier<Kind extends string> = string & { readonly [kind]: Kind };

/** What was checked is the text; its kind is a matter of types alone, hence the cast. */
const identifier = <Kind extends string>() => z.preprocess(textOf, z.string().min(1)) as unknown as z.ZodType<Identifier<Kind>>;

/** Identifiers and keys are different things here, and none may stand for another: hence their kinds. */
export const ChannelIdSchema = identifier<'ChannelId'>();
export type ChannelId = Identifier<'ChannelId'>;

export const ChannelKeySchema = identifier<'ChannelKey'>();
export type ChannelKey = Identifier<'ChannelKey'>;

export const ProjectIdSchema = identifier<'ProjectId'>();
export type ProjectId = Identifier<'ProjectId'>;

export const ProjectKeySchema = identifier<'ProjectKey'>();
export type ProjectKey = Identifier<'ProjectKey'>;

export type VideoId = Identifier<'VideoId'>;

export const VideoKeySchema = identifier<'VideoKey'>();
export type VideoKey = Identifier<'VideoKey'>;

export const TemplateKeySchema = identifier<'TemplateKey'>();
export type TemplateKey = Identifier<'TemplateKey'>;

export const PlanIdSchema = identifier<'PlanId'>();

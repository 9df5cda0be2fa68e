/** The channels of the statements that were made on this page, by the change that waits: a way back to the list. */
export const statedChannels = new Map<string, string>();

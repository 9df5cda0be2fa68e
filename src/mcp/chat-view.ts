// The MCP App (`io.modelcontextprotocol/ui`) of this server: the views of the approval page, in the conversation.

export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/** The type of a document that a client draws in the conversation. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

/** The address of the document. */
export const CHAT_VIEW_URI = 'ui://video-hosting/view.html';

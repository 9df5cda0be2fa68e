/** What a person may do on a server for several, with what each role allows. */
export const ROLES = {
  read: 'lists, questions and the page',
  propose: 'tools that change the account, each of which waits for a decision',
  approve: 'Apply and Decline on the page',
} as const;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as Role[]; // Object.keys widens
export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text);

/** The ways to confirm a change, and those that each value of the setting allows, in the order in which they are tried. */
export const CONFIRM_MODES = {
  ask: ['form', 'page', 'token'],
  form: ['form'],
  page: ['page'],
  token: ['token'],
  wait: ['wait'],
  never: ['never'],
  // Of a server for several people, which takes no other.
  link: ['link'],
} as const;

export type ConfirmMode = keyof typeof CONFIRM_MODES;
export type ConfirmRoute = (typeof CONFIRM_MODES)[ConfirmMode][number];
/** The values of the setting. */
export const CONFIRM_MODE_NAMES = (Object.keys(CONFIRM_MODES) as readonly ConfirmMode[]).filter((mode) => mode !== 'link'); // Object.keys widens

export const CONFIRM_DESCRIPTION =
  'How a change is confirmed: `ask` takes the first that works of a form, the approval page and a token; `form`, `page` and `token` allow that way alone; `wait` keeps it until a person decides; `never` asks nobody.';

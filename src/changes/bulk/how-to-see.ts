/** How a person learns of a copy whose answer nobody has. */
export const HOW_TO_SEE = 'To find out, open one of its videos in the dashboard and look at its CTAs.';

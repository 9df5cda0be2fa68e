/** Of a row in the list that is edited, in pixels, as its style has it. */
export const ROW_HEIGHT = 52;

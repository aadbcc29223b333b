/** The ground of the site as `--color-ground` has it: what a browser paints around the page and before it is there. */
export const BACKGROUND_COLOR = '#0b0a08'

type LocationChange = { fromLocation?: object; pathChanged: boolean }

const CROSS_FADE_DEVICES = '(hover: hover) and (prefers-reduced-motion: no-preference)'

/**
 * A cross-fade (`[]`: no types) between pages; none (false) within a page, on the first load, on touch screens or for
 * reduced motion.
 */
const betweenPages = {
  types: ({ fromLocation, pathChanged }: LocationChange): string[] | false =>
    fromLocation && pathChanged && matchMedia(CROSS_FADE_DEVICES).matches ? [] : false,
}

/** The router's view transition; false in browsers without transition types, which would animate every navigation. */
export const viewTransition = () =>
  globalThis.CSS?.supports?.('selector(:active-view-transition-type(a))') ? betweenPages : false

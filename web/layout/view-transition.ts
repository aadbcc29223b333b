type LocationChange = { fromLocation?: object; pathChanged: boolean }

/** A cross-fade (`[]`: no types) between pages; none (false) within a page, on the first load or for reduced motion. */
const betweenPages = {
  types: ({ fromLocation, pathChanged }: LocationChange): string[] | false =>
    fromLocation && pathChanged && !matchMedia('(prefers-reduced-motion: reduce)').matches ? [] : false,
}

/** The router's view transition; false in browsers without transition types, which would animate every navigation. */
export const viewTransition = () =>
  globalThis.CSS?.supports?.('selector(:active-view-transition-type(a))') ? betweenPages : false

type LocationChange = { fromLocation?: object; pathChanged: boolean }

/** A short cross-fade between pages; none within a page, on the first load or where motion is reduced. */
const betweenPages = {
  types: ({ fromLocation, pathChanged }: LocationChange): string[] | false =>
    fromLocation && pathChanged && !matchMedia('(prefers-reduced-motion: reduce)').matches ? [] : false,
}

/** The router's view transition; false in browsers without transition types, which limit it to changes of the page. */
export const viewTransition = () =>
  globalThis.CSS?.supports?.('selector(:active-view-transition-type(a))') ? betweenPages : false

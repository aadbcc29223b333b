type LocationChange = { fromLocation?: object; pathChanged: boolean }

/** A short cross-fade between pages; none within a page, on the first load or where motion is reduced. */
const betweenPages = {
  types: ({ fromLocation, pathChanged }: LocationChange): string[] | false =>
    fromLocation && pathChanged && !matchMedia('(prefers-reduced-motion: reduce)').matches ? [] : false,
}

/** Only in browsers that support transition types, which are needed to skip transitions within a page. */
export const viewTransition = () =>
  globalThis.CSS?.supports?.('selector(:active-view-transition-type(a))') ? betweenPages : false

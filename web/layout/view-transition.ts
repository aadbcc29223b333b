type LocationChange = { fromLocation?: object; pathChanged: boolean }

/** A short cross-fade between pages; none within a page, on the first load or where motion is reduced. */
const betweenPages = {
  types: ({ fromLocation, pathChanged }: LocationChange): string[] | false =>
    fromLocation && pathChanged && !matchMedia('(prefers-reduced-motion: reduce)').matches ? [] : false,
}

/** Browsers without types of transitions cannot leave one out. */
export const viewTransition = () =>
  globalThis.CSS?.supports?.('selector(:active-view-transition-type(a))') ? betweenPages : false

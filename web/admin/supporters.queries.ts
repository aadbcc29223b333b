/** The desk's list of supporters, and beneath it what is fetched of one: whatever changes a person makes both stale. */
export const SUPPORTERS_KEY = ['admin', 'supporters']

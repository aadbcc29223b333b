/**
 * From when on the public hears of finalists (SQL over `c`, a challenge): the desk picks among verses as they come, and
 * nobody is told before the last of them is in and the finalists' day has come.
 */
export const FINALISTS_PUBLIC_AT = 'max(c.finalists_at, c.submissions_close_at)'

/** D1's own words for a queue that is full, or in which a query waited for too long: nothing of it was done. */
export const isOverloaded = (error: unknown): boolean =>
  error instanceof Error && (/D1 DB is overloaded/i.test(error.message) || isOverloaded(error.cause))

/** Writes one JSON line for the operator. Fields are ids and counts, never personal data. */
export function logEvent(at: string, fields: Record<string, unknown> = {}): void {
  console.error(JSON.stringify({ at, ...fields }))
}

/** Logs an error by its class name: messages may quote SQL or parameters. */
export function logError(at: string, error: unknown, fields: Record<string, unknown> = {}): void {
  logEvent(at, { ...fields, error: error instanceof Error ? error.name : 'unknown' })
}

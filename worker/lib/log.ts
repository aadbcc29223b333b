/** Writes one JSON line for the operator. `source` is a part of the worker. Fields never contain personal data. */
export function logEvent(source: string, fields: Record<string, unknown> = {}): void {
  console.error(JSON.stringify({ at: source, ...fields }))
}

/** Logs an error by its class name: messages may quote SQL or parameters. */
export function logError(source: string, error: unknown, fields: Record<string, unknown> = {}): void {
  logEvent(source, { ...fields, error: error instanceof Error ? error.name : 'unknown' })
}

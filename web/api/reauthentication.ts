/** The session to re-authenticate: a supporter's, or a team member's in the dashboard. */
export type ReauthenticationKind = 'supporter' | 'administrator'
type Handler = (kind: ReauthenticationKind) => Promise<boolean>

let handler: Handler | null = null
let pending: Promise<boolean> | null = null

/** Sets the function that asks the user to re-authenticate; null before the app is mounted. */
export function setReauthenticationHandler(next: Handler | null): void {
  handler = next
}

/** Asks once for concurrent calls. Resolves to whether the user confirmed. */
export function requestReauthentication(kind: ReauthenticationKind): Promise<boolean> {
  if (!handler) return Promise.resolve(false)
  pending ??= handler(kind).finally(() => {
    pending = null
  })
  return pending
}

export type ReauthenticationRequest = {
  /** The session to re-authenticate: a supporter's, or a team member's in the dashboard. */
  kind: 'supporter' | 'administrator'
  /** Texts for an irreversible action, which always asks for confirmation. */
  finalAction?: { title: string; text: string; button: string }
}
type Handler = (request: ReauthenticationRequest) => Promise<boolean>

let handler: Handler | null = null
let pending: Promise<boolean> | null = null

/** Sets the function that asks the user to re-authenticate; null before the app is mounted. */
export function setReauthenticationHandler(next: Handler | null): void {
  handler = next
}

/** Opens one dialog for concurrent calls. Resolves to whether the user confirmed. */
export function requestReauthentication(request: ReauthenticationRequest): Promise<boolean> {
  if (!handler) return Promise.resolve(false)
  pending ??= handler(request).finally(() => {
    pending = null
  })
  return pending
}

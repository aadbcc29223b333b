export type ReauthenticationRequest = {
  /** The session to re-authenticate: a supporter's, or a team member's in the dashboard. */
  kind: 'supporter' | 'administrator'
  /** Texts for an irreversible action, which always asks for confirmation. */
  finalAction?: { title: string; text: string; button: string }
}
type Handler = (request: ReauthenticationRequest) => Promise<boolean>

let handler: Handler | null = null
let pending: { kind: ReauthenticationRequest['kind']; result: Promise<boolean> } | null = null

/** Sets the function that asks the user to re-authenticate; null before the app is mounted. */
export function setReauthenticationHandler(next: Handler | null): void {
  handler = next
}

/**
 * Opens a dialog, one for concurrent calls of the same kind. A final action always gets its own, after the open one.
 * Resolves to whether the user confirmed.
 */
export async function requestReauthentication(request: ReauthenticationRequest): Promise<boolean> {
  while (pending) {
    const { kind, result } = pending
    if (kind === request.kind && !request.finalAction) return result
    await result
  }
  if (!handler) return false
  const result = handler(request).finally(() => {
    pending = null
  })
  pending = { kind: request.kind, result }
  return result
}

export type ReauthenticationRequest = {
  /** The session to re-authenticate: a supporter's, or a team member's in the dashboard. */
  kind: 'supporter' | 'administrator'
  /** The dialog's texts for an irreversible action. Such an action always needs a confirmation. */
  irreversibleAction?: { title: string; text: string; button: string }
}
type Handler = (request: ReauthenticationRequest) => Promise<boolean>

let handler: Handler | null = null
let pending: { kind: ReauthenticationRequest['kind']; result: Promise<boolean> } | null = null

/** Sets the function that opens the dialog; null while the app is not mounted. */
export function setReauthenticationHandler(next: Handler | null): void {
  handler = next
}

/**
 * Opens the re-authentication dialog; resolves to whether the user completed it, false without a handler. A call of the
 * same kind shares an open dialog; one of another kind or for an irreversible action waits, then opens its own.
 */
export async function requestReauthentication(request: ReauthenticationRequest): Promise<boolean> {
  while (pending) {
    const { kind, result } = pending
    if (kind === request.kind && !request.irreversibleAction) return result
    await result
  }
  if (!handler) return false
  const result = handler(request).finally(() => {
    pending = null
  })
  pending = { kind: request.kind, result }
  return result
}

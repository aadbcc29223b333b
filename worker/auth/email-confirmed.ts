import type { Deps } from '../deps'
import type { Millis } from '../lib/clock'

/**
 * Returns statements that run after the update that confirms an email address: in its batch or, for a Google sign-up,
 * in the next one. Each must check `users.email_verified_at IS NOT NULL` in SQL: that update may change nothing.
 */
export type EmailConfirmedHandler = (
  deps: Pick<Deps, 'db' | 'secret'>,
  /** `isTakeover`: the mailbox's owner takes over an unconfirmed account, which a stranger may have created. */
  user: { userId: number; email: string; mailboxKey: string; isTakeover?: boolean },
  at: Millis,
) => Promise<D1PreparedStatement[]>

const handlers: EmailConfirmedHandler[] = []

/** Called by app.ts, so that auth imports no higher feature. */
export function registerEmailConfirmedHandler(handler: EmailConfirmedHandler): void {
  handlers.push(handler)
}

/** The statements of all handlers, in the order of registration. */
export const emailConfirmedStatements: EmailConfirmedHandler = async (deps, user, at) =>
  (await Promise.all(handlers.map((handler) => handler(deps, user, at)))).flat()

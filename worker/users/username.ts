import { sql } from 'drizzle-orm'
import { AppError } from '../lib/app-error'
import { normalizeKey } from '../lib/email'
import { users } from './users.table'

/** The username for an email to the account; null while the address is unconfirmed, as a stranger may have typed it. */
export const usernameForEmail = sql<string | null>`iif(${users.emailVerifiedAt} IS NULL, NULL, ${users.username})`

/** The form in which usernames are compared: without case and trailing dots. */
export function usernameKey(username: string): string {
  return normalizeKey(username).replace(/\.+$/, '')
}

/** Names that could impersonate the site. Compared without separators. */
const RESERVED_USERNAMES = new Set(
  `admin admins administrator administrators root superuser sysadmin system owner host support help helpdesk contact
  info staff team crew moderator moderators mod mods official verified security abuse billing payments legal privacy
  press booking management manager label artist theartist api www mail email webmaster postmaster hostmaster noreply
  donotreply newsletter me you everyone everybody nobody anonymous guest visitor user username supporter deleted
  deleteduser removed banned null undefined none nan true false test login logout signin signup register account
  settings subscribe checkout`.split(/\s+/),
)

/** True for reserved names and for names that could be mistaken for the artist's. */
export function isReservedUsername(username: string, artistName: string): boolean {
  const withoutSeparators = (text: string) => normalizeKey(text).replace(/[^\p{L}\p{N}]/gu, '')
  const name = withoutSeparators(username)
  const artist = withoutSeparators(artistName)
  return (
    RESERVED_USERNAMES.has(name) ||
    /^deleted\d+$/.test(name) ||
    (artist !== '' && (name === artist || name === `the${artist}` || name === `${artist}official`))
  )
}

export const usernameTakenError = () => new AppError('name_taken', 'That username is taken. Please choose another.')

/** For `catch` of a write to `users`. @throws AppError `name_taken` or `email_taken` for a duplicate; other errors. */
export function rethrowTaken(error: Error): never {
  const text = `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
  if (text.includes('users.username_key')) throw usernameTakenError()
  if (text.includes('users.email_key')) throw emailTakenError()
  throw error
}

export const emailTakenError = () =>
  new AppError('email_taken', 'There is an account with that address already. Please log in.')

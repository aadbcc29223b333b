import { usernameKey } from '../auth/names'
import { hashPassword } from '../auth/password'
import type { users } from '../auth/users.table'
import { fold } from '../lib/fold'
import { newBrowser } from './browser'
import { addUser } from './rows'

/** The password of everybody whom `addPerson` adds. */
export const PASSWORD = 'a long enough password'
let passwordHash: Promise<string> | undefined
let addresses = 0

/** An address nobody else in the test file has: limits count by it. */
export const freshAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`

/** Somebody who can log in with PASSWORD, with a verified address. */
export async function addPerson(username: string, row: Partial<typeof users.$inferInsert> = {}) {
  passwordHash ??= hashPassword(PASSWORD)
  const email = row.email === undefined ? `${username}@fan.example` : row.email
  return addUser({
    username,
    usernameKey: usernameKey(username),
    email,
    emailKey: email && fold(email),
    emailVerifiedAt: 0,
    passwordHash: await passwordHash,
    ...row,
  })
}

/** A browser of its own address that has logged in. `as: 'administrator'` logs in to the desk as well. */
export async function loggedIn(
  username: string,
  {
    as = 'supporter',
    password = PASSWORD,
    ...options
  }: Parameters<typeof newBrowser>[0] & { as?: 'supporter' | 'administrator'; password?: string } = {},
) {
  const browser = newBrowser({ address: freshAddress(), ...options })
  for (const path of ['/api/auth/login', ...(as === 'administrator' ? ['/api/admin/login'] : [])]) {
    const answer = await browser.send('POST', path, { username, password })
    if (!answer.ok) throw new Error(`${username} could not log in: ${answer.status} ${await answer.text()}`)
  }
  return browser
}

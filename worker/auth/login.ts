import { MINUTE, type Millis, SECOND } from '../lib/clock'
import { fold } from '../lib/fold'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { attemptKey, countTry, forgiveTries } from './attempts'
import { usernameKey } from './names'
import { hashPassword, verifyPassword } from './password'
import { PERSON, type PersonRow } from './people'

type Guess = {
  /** Username or e-mail address, as typed. */
  name: string
  password: string
  /** The client's network: visitorAddress. */
  network: string
  /** The id of the browser if this account has logged in from it before. */
  knownDevice: (userId: number) => Promise<string | null>
}

/** The stored names of what is counted for an account (`user <id>` or `name <key>`): from here, and from everywhere. */
export async function triesKeys(secret: string, account: string, here: string) {
  return {
    own: await attemptKey(secret, 'login', account, here),
    everywhere: await attemptKey(secret, 'login', account),
  }
}

/**
 * Tells who gives this name and password. Tries are counted before anything is hashed: for a known device on its own
 * account, else for the name from this network and for the name from everywhere. A stranger can use up the latter
 * two; the owner's own devices, a reset mail and Google still let the owner in.
 * @throws Refused `bad_credentials`, alike for an unknown name and a wrong password; `rate_limited`; `forbidden` for
 *   the right password of a suspended account.
 */
export async function whoGives(
  { db, secret }: { db: D1Database; secret: string },
  { name, password, network, knownDevice }: Guess,
  now: Millis,
): Promise<PersonRow> {
  const byEmail = name.includes('@')
  const key = byEmail ? fold(name) : usernameKey(name)
  const row = await db
    .prepare(
      `SELECT ${PERSON}, users.password_hash AS passwordHash FROM users
       WHERE users.${byEmail ? 'email_key' : 'username_key'} = ?1 AND users.erased_at IS NULL`,
    )
    .bind(key)
    .first<PersonRow & { passwordHash: string | null }>()

  const account = row ? `user ${row.id}` : `name ${key}`
  const device = row ? await knownDevice(row.id) : null
  const { own, everywhere } = await triesKeys(secret, account, device ?? network)
  const per = limits.loginWindowMinutes * MINUTE
  const counts = [countTry(db, { key: own, per, now })]
  if (!device) {
    // A network that has spent its own tries cannot go on to spend the name's.
    counts.push(countTry(db, { key: everywhere, per, now, unlessOver: { key: own, max: limits.loginTriesHere } }))
  }
  const [here, all] = await db.batch<{ count: number }>(counts)
  const spent =
    (here?.results[0]?.count ?? 0) > limits.loginTriesHere ||
    (all?.results[0]?.count ?? 0) > limits.loginTriesEverywhere
  if (spent)
    throw new Refused(
      'rate_limited',
      'Too many tries. Please wait a few minutes, or choose a new password by e-mail.',
      {
        retryAfterSeconds: per / SECOND,
      },
    )

  const { matches, outdated } = await verifyPassword(password, row?.passwordHash ?? null)
  if (!row || !matches) throw new Refused('bad_credentials', 'Invalid credentials')
  const { passwordHash: _, ...person } = row
  if (person.banned) throw new Refused('forbidden', 'This account has been suspended.')

  const rehashed = outdated ? await hashPassword(password) : null
  await db.batch([
    forgiveTries(db, own),
    db
      .prepare(
        'UPDATE users SET last_active_at = max(last_active_at, ?2), password_hash = coalesce(?3, password_hash) WHERE id = ?1',
      )
      .bind(person.id, now, rehashed),
  ])
  return person
}

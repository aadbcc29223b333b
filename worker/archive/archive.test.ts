import { type D1Migration, env } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import { Decrypter } from 'age-encryption'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { findWrongTotals } from '../db/totals'
import { eraseAddress } from '../gdpr/erase-address'
import { eraseUser } from '../gdpr/erase-user'
import { recentErasures } from '../gdpr/recent-erasures.table'
import { DAY_MS } from '../lib/clock'
import { erasureKey, suppressionHash } from '../lib/keyed-hashes'
import { addUser, db, isLongRun, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { beforeBatch, emptyStore, resetDatabase, withMethods } from '../testing/stores'
import { newSupporter } from '../testing/users'
import { continueArchive, deleteExpiredArchives, startArchive, startWeeklyArchive } from './archives'
import { archiveEntries, archives } from './archives.table'
import { CHANGING_SECTIONS } from './contents'
import { copyErasures, deleteOldErasures } from './erasures'
import { restoreSite } from './restore-site'
import { archiveKey, runArchiveStep } from './steps'
import { BLOCK_BYTES, END_BYTES, MAX_ENTRY_BYTES, readTar, tarHeader } from './tar'
import { ArchiveError, readArchive } from './verify'

const secret = env.SIGNING_SECRET
const deps = { db, files: env.FILES, secret }
const stores = { d1: env.DB, files: env.FILES, sessions: env.SESSIONS, secret }
const { MIGRATIONS } = env as unknown as { MIGRATIONS: D1Migration[] }
const PASSPHRASE = 'four words and a number 7'

async function clearStores() {
  await Promise.all([resetDatabase(env.DB, MIGRATIONS), emptyStore(env.SESSIONS), emptyStore(env.FILES)])
}

/** Creates a small site through the API. */
async function createSmallSite() {
  await clearStores()
  await loadFixtures()
  for (let i = 0; i < 3; i++) {
    const { request } = await newSupporter()
    for (const [path, json] of [
      ['/api/polls/1/vote', { optionId: i < 2 ? 'a' : 'b' }],
      ['/api/tracks/1/like', undefined],
      ['/api/community/posts', { text: 'Zwölf 🎸 “songs”, one encore.\nAgain!' }],
    ] as const)
      expect((await request('POST', path, json)).ok).toBe(true)
  }
}
beforeEach(createSmallSite, 60_000)

async function buildArchive(passphrase?: string, archiveDeps = deps): Promise<Uint8Array<ArrayBuffer>> {
  const id = await startArchive(db, { actorId: null, passphrase, at: NOON })
  await continueArchive(archiveDeps, id)
  return archiveBytes(id)
}

async function archiveBytes(id: string) {
  const [row] = await db.select().from(archives).where(eq(archives.id, id))
  const file = await env.FILES.get(archiveKey(row!))
  return new Uint8Array(await file!.arrayBuffer())
}

/** Opens the file in chunks that align with no tar block or upload part. */
const chunkedSource = (bytes: Uint8Array, passphrase?: string) => ({
  passphrase,
  async *open() {
    for (let at = 0; at < bytes.length; at += 100_003) yield bytes.slice(at, at + 100_003)
  },
})

/** SHA-256 of each file of an archive by path, without the files that a restore changes. */
async function comparableDigests(bytes: Uint8Array): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for await (const { entry } of readArchive(chunkedSource(bytes)))
    if (!CHANGING_SECTIONS.includes(entry.path.split('/')[1] ?? '')) digests[entry.path] = entry.sha256
  return digests
}

const restore = (bytes: Uint8Array, passphrase?: string, to = stores) =>
  restoreSite(to, chunkedSource(bytes, passphrase), () => undefined)

test('restores every row and file of an archive', async () => {
  // Larger than one part of the multipart upload.
  await env.FILES.put('uploads/long', new Uint8Array(17 * 1024 * 1024).fill(7), {
    httpMetadata: { contentType: 'audio/mpeg', cacheControl: 'max-age=60' },
    customMetadata: { from: 'a test' },
  })
  const first = await buildArchive()
  await clearStores()
  const { rows, files, wrongTotals } = await restore(first)
  expect(wrongTotals).toEqual([])
  expect(rows).toBeGreaterThan(40)
  expect(files).toBe(4)
  expect(await findWrongTotals(env.DB)).toEqual([])
  const expected = await comparableDigests(first)
  expect(Object.keys(expected).length).toBeGreaterThan(20)
  expect(await comparableDigests(await buildArchive())).toEqual(expected)
  const long = await env.FILES.head('uploads/long')
  expect([long?.size, long?.httpMetadata?.cacheControl, long?.customMetadata]).toEqual([
    17 * 1024 * 1024,
    'max-age=60',
    { from: 'a test' },
  ])
}, 60_000)

test('keeps counts, search and ids correct after a restore', async () => {
  const lastId = await env.DB.prepare('SELECT max(id) AS id FROM users').first<number>('id')
  const bytes = await buildArchive()
  await clearStores()
  await restore(bytes)
  const { user, request } = await newSupporter({ username: 'latecomer' })
  expect(user.id).toBe((lastId ?? 0) + 1)
  expect((await request('POST', '/api/polls/1/vote', { optionId: 'b' })).status).toBe(200)
  expect(await findWrongTotals(env.DB)).toEqual([])
  const search = "SELECT count(*) AS n FROM supporter_search WHERE supporter_search MATCH 'latecomer'"
  expect(await env.DB.prepare(search).first('n')).toBe(1)
})

/** Stores that fail at their `n`th call. Even `n`: fails before the call takes effect; odd `n`: after. */
function failingAt(n: number) {
  let calls = 0
  const guard = <T extends object>(target: T, methods: readonly string[]): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name)
        if (typeof value !== 'function') return value
        if (!methods.includes(String(name))) return value.bind(object)
        return async (...args: unknown[]) => {
          calls += 1
          if (calls === n && n % 2 === 0) throw new Error('killed')
          const result = await value.apply(object, args)
          if (calls === n) throw new Error('killed')
          return String(name).includes('Multipart') ? guard(result, ['uploadPart', 'complete']) : result
        }
      },
    })
  const d1 = guard(env.DB, ['batch'])
  const files = guard(env.FILES, ['put', 'list', 'get', 'head', 'createMultipartUpload'])
  return {
    deps: { ...deps, db: Object.assign(Object.create(db), { $client: d1 }) as typeof db, files },
    calls: () => calls,
  }
}

test('writes the same bytes after a crash at sampled points', async () => {
  const wholeArchive = await buildArchive()
  const counting = failingAt(0)
  expect(await buildArchive(undefined, counting.deps)).toEqual(wholeArchive)
  const total = counting.calls()
  expect(total).toBeGreaterThan(50)
  for (let n = 3; n <= total; n += isLongRun ? 5 : Math.floor(total / 2)) {
    const id = await startArchive(db, { actorId: null, at: NOON })
    await expect(continueArchive(failingAt(n).deps, id)).rejects.toThrow('killed')
    expect(await continueArchive(deps, id)).toBe(true)
    expect(await archiveBytes(id)).toEqual(wholeArchive)
  }
  const { objects } = await env.FILES.list({ prefix: 'archives/' })
  expect(objects.filter(({ key }) => key.split('/').length > 2)).toEqual([])
}, 600_000)

test('encrypts an archive that the age tool can open', async () => {
  const plainArchive = await buildArchive()
  const encrypted = await buildArchive(PASSPHRASE)
  expect(new TextDecoder('latin1').decode(encrypted)).not.toContain('manifest')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(PASSPHRASE)
  expect(await decrypter.decrypt(encrypted)).toEqual(plainArchive)
  const [row] = await db.select().from(archives).where(eq(archives.state, 'ready')).limit(1)
  expect(row?.ageKey).toBeNull()
  await clearStores()
  expect((await restore(encrypted, PASSPHRASE)).wrongTotals).toEqual([])
}, 90_000)

test('starts over when a file is deleted while archiving', async () => {
  const id = await startArchive(db, { actorId: null, at: NOON })
  const read = async () => (await db.select().from(archives).where(eq(archives.id, id)))[0]!
  while (!(await read()).progress.includes('"phase":"upload"')) await continueArchive(deps, id, { until: 0 })
  await env.FILES.delete('uploads/verse')
  expect(await continueArchive(deps, id)).toBe(true)
  expect(await read()).toMatchObject({ state: 'ready', restarts: 1, files: 2 })
})

test('loses no entry when another worker starts over', async () => {
  const id = await startArchive(db, { actorId: null, at: NOON })
  const read = async () => (await db.select().from(archives).where(eq(archives.id, id)))[0]!
  const countEntries = () => db.$count(archiveEntries, eq(archiveEntries.archiveId, id))
  while ((await read()).progress !== '{"phase":"digests"}') await continueArchive(deps, id, { until: 0 })
  await env.FILES.delete('uploads/verse')
  const row = await read()
  let entries = 0
  const files = withMethods(env.FILES, {
    // Meanwhile another worker finds the file missing, starts over and lists everything again.
    get: async () => {
      await continueArchive(deps, id, { until: 0 })
      while ((await read()).progress !== '{"phase":"digests"}') await continueArchive(deps, id, { until: 0 })
      entries = await countEntries()
      return null
    },
  })
  await runArchiveStep({ ...deps, files }, row, NOON)
  expect(entries).toBeGreaterThan(20)
  expect(await countEntries()).toBe(entries)
  expect(await continueArchive(deps, id)).toBe(true)
  expect(await read()).toMatchObject({ state: 'ready', restarts: 1, files: 2 })
})

test('rejects an invalid archive and changes nothing', async () => {
  const [plain, encrypted] = [await buildArchive(), await buildArchive(PASSPHRASE)]
  const changedArchive = plain.slice()
  changedArchive[plain.length - 5_000] = changedArchive[plain.length - 5_000]! ^ 1
  const zip = new TextEncoder().encode('PK\u0003\u0004 something')
  // A header that announces eight gigabytes.
  const bomb = Buffer.concat([tarHeader('manifest.jsonl', MAX_ENTRY_BYTES, 0), new Uint8Array(5_120)])
  await clearStores()
  const before = JSON.stringify((await env.DB.prepare('SELECT name FROM sqlite_master ORDER BY name').all()).results)
  /** The error message of a restore, or 'restored'. */
  const message = (bytes: Uint8Array, passphrase?: string, to = stores) =>
    restore(bytes, passphrase, to).then(
      () => 'restored',
      (error: unknown) => (error instanceof ArchiveError ? error.message : `${error}`),
    )
  expect(await message(plain.slice(0, plain.length / 2))).toMatch('This archive is incomplete')
  expect(await message(plain.slice(0, -1_024))).toMatch('This archive is incomplete')
  expect(await message(encrypted.slice(0, encrypted.length / 2), PASSPHRASE)).toMatch('This archive is incomplete')
  expect(await message(encrypted, 'not the passphrase')).toBe('The passphrase is wrong.')
  expect(await message(encrypted)).toMatch('This archive is encrypted')
  expect(await message(plain, PASSPHRASE)).toMatch('This archive is not encrypted')
  expect(await message(changedArchive)).toMatch(/damaged|not an archive/)
  expect(await message(zip)).toMatch('This file is not an archive of this site. Archives are not compressed')
  expect(await message(new Uint8Array(10_240).fill(65))).toBe('This file is not an archive of this site.')
  expect(await message(new Uint8Array(bomb))).toMatch('A part of it is larger than this site ever writes.')
  expect(await message(plain, undefined, { ...stores, secret: 'another-secret-for-the-tests-0123456789' })).toMatch(
    'made with another SIGNING_SECRET',
  )
  expect(JSON.stringify((await env.DB.prepare('SELECT name FROM sqlite_master ORDER BY name').all()).results)).toBe(
    before,
  )
  expect((await env.FILES.list()).objects).toEqual([])
  await addUser()
  expect(await message(plain)).toMatch('This site is not empty: ')
}, 90_000)

/** An archive with one more file at its end, listed in the manifest like the others. */
async function addEntry(archive: Uint8Array, entry: object, content: string): Promise<Uint8Array> {
  const files: { path: string; bytes: Buffer }[] = []
  for await (const { path, body } of readTar(chunkedSource(archive).open())) {
    const parts: Uint8Array[] = []
    for await (const part of body) parts.push(part)
    files.push({ path, bytes: Buffer.concat(parts) })
  }
  const [manifest, ...others] = files
  const [headerLine, ...entryLines] = manifest!.bytes.toString().trimEnd().split('\n')
  const header = JSON.parse(headerLine!) as { entries: number }
  const added = { path: 'forged/1', bytes: Buffer.from(content) }
  const sha256 = createHash('sha256').update(content).digest('hex')
  const lines = [
    JSON.stringify({ ...header, entries: header.entries + 1 }),
    ...entryLines,
    JSON.stringify({ path: added.path, sizeBytes: added.bytes.length, sha256, ...entry }),
  ]
  const all = [{ path: manifest!.path, bytes: Buffer.from(`${lines.join('\n')}\n`) }, ...others, added]
  return Buffer.concat([
    ...all.flatMap(({ path, bytes }) => [
      tarHeader(path, bytes.length, 0),
      bytes,
      new Uint8Array(-bytes.length & (BLOCK_BYTES - 1)),
    ]),
    new Uint8Array(END_BYTES),
  ])
}

test('rejects entries that no archive of the site contains', async () => {
  const archive = await buildArchive()
  const trigger = JSON.stringify({ kind: 'trigger', value: 'CREATE TABLE forged (id)' })
  const token = JSON.stringify({ id: 'forged' })
  const forged = [
    await addEntry(archive, { table: 'restore_progress', rows: 1 }, `${trigger}\n`),
    await addEntry(archive, { table: 'api_tokens', rows: 1 }, `${token}\n`),
    await addEntry(archive, { key: 'archives/erasures/forged', http: {}, custom: {} }, '0'),
  ]
  const allowed = await addEntry(archive, { key: 'uploads/added', http: {}, custom: {} }, '0')
  await clearStores()
  for (const bytes of forged) await expect(restore(bytes)).rejects.toThrow('which no archive of this site has')
  expect((await env.FILES.list()).objects).toEqual([])
  await restore(allowed)
  expect(await env.FILES.head('uploads/added')).not.toBeNull()
})

/** The database, whose `n`th batch and all later ones fail. */
function failingAtBatch(n: number): D1Database {
  let batches = 0
  return beforeBatch(env.DB, async () => {
    if (++batches >= n) throw new Error('killed')
  })
}

test('continues an interrupted restore', async () => {
  const bytes = await buildArchive()
  const expected = await comparableDigests(bytes)
  await clearStores()
  await expect(restore(bytes, undefined, { ...stores, d1: failingAtBatch(12) })).rejects.toThrow('killed')
  await restore(bytes)
  expect(await comparableDigests(await buildArchive())).toEqual(expected)
})

test('a continued restore repeats erasures that it had not reached', async () => {
  const { id: userId } = await addUser()
  const bytes = await buildArchive()
  expect(await eraseUser({ db, secret }, { userId, byUserRequest: true }, NOON)).toBe(true)
  await copyErasures(deps, NOON)
  await resetDatabase(env.DB, MIGRATIONS)
  const files = withMethods(env.FILES, { list: () => Promise.reject(new Error('killed')) })
  await expect(restore(bytes, undefined, { ...stores, files })).rejects.toThrow('killed')
  expect(await restore(bytes)).toMatchObject({ erased: 1, notErased: 0, wrongTotals: [] })
  await expect(restore(bytes)).rejects.toThrow('This site is not empty')
})

test('an erasure before the archive erases no restored user', async () => {
  const { id: userId } = await addUser()
  await env.FILES.put(`archives/erasures/${await erasureKey(secret, userId)}`, String(NOON - 1))
  const bytes = await buildArchive()
  await resetDatabase(env.DB, MIGRATIONS)
  expect(await restore(bytes)).toMatchObject({ erased: 0 })
})

test('a restore stops at an erasure without a time', async () => {
  const { id: userId } = await addUser()
  const path = `archives/erasures/${await erasureKey(secret, userId)}`
  const bytes = await buildArchive()
  await env.FILES.put(path, '')
  await resetDatabase(env.DB, MIGRATIONS)
  await expect(restore(bytes)).rejects.toThrow(`The file ${path} must contain the time of an erasure`)
  await env.FILES.put(path, String(Date.now()))
  expect(await restore(bytes)).toMatchObject({ erased: 1 })
})

test('cancels broadcasts whose time passed after the archive', async () => {
  const { id: actorId } = await addUser()
  const schedule = (id: string, at: number) =>
    env.DB.prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, origin, state, scheduled_at, created_by, created_at)
       VALUES (?1, 'Hi', 'Hi', 'Hi', 'Hi', 'all', 'https://site.test', 'scheduled', ?2, ?3, 0)`,
    ).bind(id, at, actorId)
  await env.DB.batch([schedule('past', 1), schedule('future', Date.now() + DAY_MS)])
  const bytes = await buildArchive()
  await clearStores()
  await restore(bytes)
  const { results } = await env.DB.prepare('SELECT id, state FROM broadcasts ORDER BY id').all()
  expect(results).toEqual([
    { id: 'future', state: 'scheduled' },
    { id: 'past', state: 'cancelled' },
  ])
  expect(await comparableDigests(await buildArchive())).toEqual(await comparableDigests(bytes))
})

test('deletes erasure keys older than every archive', async () => {
  const { id: userId } = await addUser()
  expect(await eraseUser({ db, secret }, { userId, byUserRequest: true }, NOON)).toBe(true)
  await copyErasures(deps, NOON)
  const count = async () => (await env.FILES.list({ prefix: 'archives/erasures/' })).objects.length
  await deleteOldErasures(deps, Date.now() + 89 * DAY_MS)
  expect(await count()).toBe(1)
  // As after a restore, the database does not know the key.
  await db.delete(recentErasures)
  await deleteOldErasures(deps, Date.now() + 91 * DAY_MS)
  expect(await count()).toBe(0)
})

test('restores no rows whose parent was deleted while archiving', async () => {
  const postId = await env.DB.prepare('SELECT id FROM posts ORDER BY created_at DESC LIMIT 1').first<string>('id')
  const { request, user } = await newSupporter()
  expect((await request('POST', `/api/community/posts/${postId}/like`)).ok).toBe(true)
  const [picturePost, picture] = ['post_picture', 'up_picture']
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO uploads (id, kind, created_at, stored_at, content_type, size_bytes) VALUES (?1, 'picture', ?2, ?2, 'image/webp', 9)",
    ).bind(picture, NOON),
    env.DB.prepare(
      "INSERT INTO posts (id, author_id, text, created_at, picture_id) VALUES (?1, ?2, 'A picture', ?3, ?4)",
    ).bind(picturePost, user.id, NOON, picture),
  ])
  const id = await startArchive(db, { actorId: null, at: NOON })
  const isPending = async (section: string) =>
    (await db.select().from(archives).where(eq(archives.id, id)))[0]!.progress.includes(`"${section}"`)
  while (await isPending('post_likes')) await continueArchive(deps, id, { until: 0 })
  expect(await isPending('posts')).toBe(true)
  await env.DB.batch(
    ['DELETE FROM post_likes WHERE post_id = ?1', 'DELETE FROM posts WHERE id = ?1'].map((statement) =>
      env.DB.prepare(statement).bind(postId),
    ),
  )
  while (await isPending('posts')) await continueArchive(deps, id, { until: 0 })
  expect(await isPending('uploads')).toBe(true)
  await env.DB.batch([
    env.DB.prepare('UPDATE posts SET picture_id = NULL WHERE id = ?1').bind(picturePost),
    env.DB.prepare('DELETE FROM uploads WHERE id = ?1').bind(picture),
  ])
  await continueArchive(deps, id)
  const bytes = await archiveBytes(id)
  await clearStores()
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const { rows, leftOut } = await restoreSite(stores, chunkedSource(bytes), log)
  expect(leftOut).toBe(1)
  expect(lines).toContainEqual(expect.stringMatching(/^Warning: rows of post_likes left out: 1\./))
  const post = await env.DB.prepare('SELECT picture_id FROM posts WHERE id = ?1').bind(picturePost).first()
  expect(post).toEqual({ picture_id: null })
  expect((await env.DB.prepare('PRAGMA foreign_key_check').all()).results).toEqual([])
  // A continued restore also counts what the interrupted one left out.
  await clearStores()
  lines.length = 0
  for (let n = 2; !lines.some((line) => line.includes('left out')); n++)
    await restoreSite({ ...stores, d1: failingAtBatch(n) }, chunkedSource(bytes), log).catch(() => undefined)
  expect(await restoreSite(stores, chunkedSource(bytes), log)).toMatchObject({ rows, leftOut: 1 })
})

test('a restore applies user erasures made after the archive', async () => {
  const { id: userId } = await addUser({ username: 'leaver' })
  const bytes = await buildArchive()
  expect(await eraseUser({ db, secret }, { userId, byUserRequest: true }, NOON)).toBe(true)
  await copyErasures(deps, NOON)
  // The database is lost, the bucket is not.
  await resetDatabase(env.DB, MIGRATIONS)
  expect((await restore(bytes)).erased).toBe(1)
  const row = await env.DB.prepare('SELECT username, email FROM users WHERE id = ?1').bind(userId).first()
  expect(row).toEqual({ username: `deleted-${userId}`, email: null })
})

test('a restore applies address erasures made after the archive', async () => {
  const { id: actorId } = await addUser()
  const subscribe = (email: string, id: string) =>
    env.DB.batch([
      env.DB.prepare(
        `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at) VALUES (?1, ?2, lower(?2), 'confirmed', '1', ?3, ?3)`,
      ).bind(id, email, NOON),
      env.DB.prepare(
        `INSERT INTO privacy_inquiries (id, email, email_key, kind, message, created_at, due_at, confirmed_at) VALUES (?1, ?2, lower(?2), 'deletion', '', ?3, ?3, ?3)`,
      ).bind(id, email, NOON),
    ])
  const erase = (id: string, at: number) =>
    eraseAddress({ db, secret, origin: 'https://site.test' }, { id, actorId, at, shownOtherwise: false })
  // Erased before the archive, then subscribed again.
  await subscribe('Back@guest.example', 'back')
  await erase('back', NOON - DAY_MS)
  await subscribe('Back@guest.example', 'again')
  await subscribe('Juniper@guest.example', 'leaver')
  const bytes = await buildArchive()
  await erase('leaver', NOON + DAY_MS)
  await copyErasures(deps, NOON)
  await resetDatabase(env.DB, MIGRATIONS)
  expect((await restore(bytes)).erasedAddresses).toBe(1)
  const { results } = await env.DB.prepare("SELECT email FROM subscribers WHERE email LIKE '%@guest.example'").all()
  expect(results).toEqual([{ email: 'Back@guest.example' }])
  const hash = await suppressionHash(secret, 'juniper@guest.example')
  expect(await env.DB.prepare('SELECT 1 FROM suppressions WHERE hash = ?1').bind(hash).first()).not.toBeNull()
})

test('creates an archive weekly and deletes it after 30 days', async () => {
  const count = async () => db.$count(archives)
  await startWeeklyArchive(deps, NOON)
  await startWeeklyArchive(deps, NOON + 6 * DAY_MS)
  expect(await count()).toBe(1)
  const [first] = await db.select().from(archives)
  await continueArchive(deps, first!.id, { now: () => NOON })
  await startWeeklyArchive(deps, NOON + 7 * DAY_MS)
  expect(await count()).toBe(2)
  await deleteExpiredArchives(deps, NOON + 29 * DAY_MS)
  expect(await env.FILES.head(archiveKey(first!))).not.toBeNull()
  await deleteExpiredArchives(deps, NOON + 30 * DAY_MS)
  expect(await env.FILES.head(archiveKey(first!))).toBeNull()
  expect(await count()).toBe(1)
})

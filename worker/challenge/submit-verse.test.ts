import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { emailConfirmedStatements } from '../auth/email-confirmed'
import type { VerseSubmission } from '../contract/admin-challenge'
import type { MyChallenge } from '../contract/challenge'
import { DAY_MS } from '../lib/clock'
import { errorOf, newBrowser, send, statusAndCodeOf } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { buildMp3, buildPng } from '../testing/files'
import { addChallenge, DAYS_JULY_2026, db, sendVerse, VERSE_FORM } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, uniqueIp } from '../testing/users'
import { timestampsOf } from './challenge-state'

const SUBMISSIONS_CLOSE = timestampsOf(DAYS_JULY_2026, 'America/New_York').submissionsCloseAt
const visitor = (at = NOON) => newBrowser({ address: uniqueIp(), at })
const findVerses = async (email: string) =>
  (await env.DB.prepare('SELECT * FROM verse_submissions WHERE lower(email) = ?1').bind(email).all()).results
const findStoredFile = (recording: string) => env.FILES.head(`uploads/${recording}`)
const listFinalistIds = async (challenge: string) =>
  (
    await env.DB.prepare('SELECT id FROM challenge_finalists WHERE challenge_id = ?1 ORDER BY position')
      .bind(challenge)
      .all<{ id: string }>()
  ).results.map(({ id }) => id)
const adminBrowser = () => browserWithSession('admin', { as: 'administrator', at: NOON })

beforeAll(async () => {
  await seedSite(env.DB)
  await addChallenge('july', DAYS_JULY_2026)
  await addNamedUser('admin', { role: 'administrator' })
})

test('saves a verse and emails a receipt', async () => {
  const { response, recording } = await sendVerse(visitor(), 'july', { email: 'Ana.B+x@gmail.com' })
  expect(response.status).toBe(201)
  expect(await findVerses('ana.b+x@gmail.com')).toMatchObject([
    {
      name: 'MC Any',
      phone_number: '+18135550123',
      mailbox_key: 'anab@gmail.com',
      terms_version: 'verse-2026-11',
      audio_key: `uploads/${recording}`,
      user_id: null,
    },
  ])
  expect((await emailsTo('Ana.B+x@gmail.com'))[0]).toMatchObject({ kind: 'verse_received' })
})

const confirmVerse = async (email: string) =>
  visitor().send('POST', '/api/challenge/confirm', { token: await tokenFromEmail('verse_received', email) })

test('an unconfirmed verse does not block the address’s owner', async () => {
  await sendVerse(visitor(), 'july', { email: 'rival@mail.example', name: 'Mallory' })
  const ownVerse = await sendVerse(visitor(), 'july', { email: 'r.ival@mail.example' })
  expect(ownVerse.response.status).toBe(201)
  expect((await confirmVerse('r.ival@mail.example')).status).toBe(200)
  expect((await confirmVerse('r.ival@mail.example')).status).toBe(200)
  const isConfirmed = async (email: string) => (await findVerses(email)).map((row) => row.confirmed_at !== null)
  expect([await isConfirmed('rival@mail.example'), await isConfirmed('r.ival@mail.example')]).toEqual([[false], [true]])
})

test('accepts one confirmed verse per mailbox', async () => {
  await sendVerse(visitor(), 'july', { email: 'b.o.b@gmail.com' })
  await sendVerse(visitor(), 'july', { email: 'bob+2@gmail.com' })
  expect((await confirmVerse('b.o.b@gmail.com')).status).toBe(200)
  expect(await statusAndCodeOf(await confirmVerse('bob+2@gmail.com'))).toEqual([409, 'conflict'])
  const third = await sendVerse(visitor(), 'july', { email: 'bob@googlemail.com' })
  expect(await statusAndCodeOf(third.response)).toEqual([409, 'conflict'])
})

test('repeats no user input to an unconfirmed address', async () => {
  await sendVerse(visitor(), 'july', { email: 'stranger@mail.example', name: 'You won https://evil.example' })
  const [email] = await emailsTo('stranger@mail.example')
  expect(JSON.stringify(email)).not.toContain('evil.example')
})

test('counts an account’s verse after its email is confirmed', async () => {
  const { id: userId } = await addNamedUser('later', { mailboxKey: 'later@fan.example', emailVerifiedAt: null })
  await sendVerse(await browserWithSession('later', { at: NOON }), 'july', { email: 'later+x@fan.example' })
  await addChallenge('second', DAYS_JULY_2026)
  await sendVerse(await browserWithSession('later', { at: NOON }), 'second', { email: 'later@stage.example' })
  expect(await findVerses('later+x@fan.example')).toMatchObject([
    { confirmed_at: null, mailbox_key: 'later@fan.example' },
  ])
  const user = { userId, email: 'later@fan.example', mailboxKey: 'later@fan.example' }
  await env.DB.batch([
    env.DB.prepare('UPDATE users SET email_verified_at = 1 WHERE id = ?1').bind(userId),
    ...(await emailConfirmedStatements({ db, secret: env.SIGNING_SECRET }, user, NOON)),
  ])
  expect(await findVerses('later+x@fan.example')).toMatchObject([
    { confirmed_at: NOON, mailbox_key: 'later@fan.example' },
  ])
  // Another mailbox, which the account has not confirmed.
  expect(await findVerses('later@stage.example')).toMatchObject([{ confirmed_at: null }])
})

test('after a takeover only the emailed link confirms a verse', async () => {
  const email = 'taken-over@fan.example'
  const { id: userId } = await addNamedUser('taken-over', { mailboxKey: email, emailVerifiedAt: null })
  await sendVerse(await browserWithSession('taken-over', { at: NOON }), 'july', { email })
  const statements = await emailConfirmedStatements(
    { db, secret: env.SIGNING_SECRET },
    { userId, email, mailboxKey: email, isTakeover: true },
    NOON,
  )
  await env.DB.batch([
    env.DB.prepare('UPDATE users SET email_verified_at = 1 WHERE id = ?1').bind(userId),
    ...statements,
  ])
  expect(await findVerses(email)).toMatchObject([{ confirmed_at: null, user_id: null }])
  // The taken-over account can still submit a verse.
  const ownVerse = await sendVerse(await browserWithSession('taken-over', { at: NOON }), 'july', { email })
  expect([ownVerse.response.status, (await findVerses(email)).length]).toEqual([201, 2])
})

test('requires the emailed link for another mailbox’s address', async () => {
  await addNamedUser('proven', { mailboxKey: 'proven@fan.example' })
  const browser = await browserWithSession('proven', { at: NOON })
  await addChallenge('third', DAYS_JULY_2026)
  await sendVerse(browser, 'july', { email: 'stranger2@mail.example' })
  await sendVerse(browser, 'third', { email: 'Proven+stage@fan.example' })
  expect(await findVerses('stranger2@mail.example')).toMatchObject([{ confirmed_at: null }])
  expect(await findVerses('proven+stage@fan.example')).toMatchObject([{ confirmed_at: NOON }])
  expect((await emailsTo('stranger2@mail.example'))[0]?.subject).toMatch(/^Confirm your verse/)
})

test('saves one verse for ten concurrent submissions', async () => {
  await addNamedUser('racer')
  const unlimited = { LIMIT_MAIL: { limit: async () => ({ success: true }) } as unknown as RateLimit }
  const browser = await browserWithSession('racer', { at: NOON, env: unlimited })
  const sent = await Promise.all(
    Array.from({ length: 10 }, () => sendVerse(browser, 'july', { email: 'race@mail.example' })),
  )
  expect(sent.map(({ response }) => response.status).sort()).toEqual([201, ...Array(9).fill(409)])
  expect(await findVerses('race@mail.example')).toHaveLength(1)
  expect(await emailsTo('race@mail.example')).toHaveLength(1)
})

test('lets an account enter one verse and withdraw it', async () => {
  await addNamedUser('rapper', { mailboxKey: 'rapper@fan.example' })
  const browser = await browserWithSession('rapper', { at: NOON })
  const { response, recording } = await sendVerse(browser, 'july', { email: 'stage@mail.example' })
  expect(response.status).toBe(201)
  expect((await sendVerse(browser, 'july', { email: 'other@mail.example' })).response.status).toBe(409)
  const myChallenge = await (await browser.send('GET', '/api/challenges/july/mine')).json<MyChallenge>()
  expect(myChallenge.verse).toMatchObject({ name: 'MC Any', isFinalist: false, canWithdraw: true })
  expect((await browser.send('DELETE', '/api/challenges/july/submission')).status).toBe(204)
  expect([await findVerses('stage@mail.example'), await findStoredFile(recording)]).toEqual([[], null])
  expect((await browser.send('DELETE', '/api/challenges/july/submission')).status).toBe(404)
  expect((await sendVerse(browser, 'july', { email: 'stage@mail.example' })).response.status).toBe(201)
})

test.each([
  ['an invalid phone number', { phoneNumber: '123' }, 'Please enter a valid phone number.'],
  ['a second line in the address', { email: 'a@b.example\nBcc: c@d.example' }, 'Please enter a valid email address.'],
  ['outdated terms', { terms: 'verse-2020' as never }, 'Please accept the terms of the challenge.'],
  ['no name', { name: '  ' }, 'Your name is required.'],
])('rejects a verse with %s and keeps the recording', async (_, wrong, message) => {
  const { response, recording } = await sendVerse(visitor(), 'july', { email: 'wrong@mail.example', ...wrong })
  expect(await errorOf(response)).toEqual([400, 'bad_input', message])
  expect(await findStoredFile(recording)).not.toBeNull()
})

test('accepts each recording once, from its uploader', async () => {
  const browser = visitor()
  const { recording } = await sendVerse(browser, 'july', { email: 'first@mail.example' })
  // A recording of another uploader, not submitted yet: there is no challenge `none`.
  await addNamedUser('uploader')
  const strangersVerse = await sendVerse(await browserWithSession('uploader', { at: NOON }), 'none')
  for (const recordingId of [recording, 'up_none', strangersVerse.recording, '../exports/x'])
    expect(
      await errorOf(
        await visitor().send('POST', '/api/challenges/july/submissions', {
          ...VERSE_FORM,
          email: 'second@mail.example',
          recording: recordingId,
        }),
      ),
    ).toEqual([400, 'bad_input', 'That recording is gone. Please choose it again.'])
})

const uploadRecording = (browser: ReturnType<typeof newBrowser>, raw: BodyInit, headers: Record<string, string> = {}) =>
  browser.send('POST', '/api/challenge/recordings', undefined, {
    headers: { 'content-type': 'audio/mpeg', ...headers },
    raw,
  })

test('rejects oversized uploads by header and by received bytes', async () => {
  let chunksRead = 0
  const streamMegabytes = (megabytes: number) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (chunksRead++ >= megabytes) return controller.close()
        controller.enqueue(chunksRead === 1 ? buildMp3(1024 * 1024) : new Uint8Array(1024 * 1024))
      },
    })
  const oversized = await uploadRecording(visitor(), streamMegabytes(500), {
    'content-length': String(500 * 1024 * 1024),
  })
  expect([oversized.status, chunksRead <= 1]).toEqual([413, true])
  chunksRead = 0
  // The maximum is 50 MB; a few more chunks may be read ahead.
  const withoutLength = await uploadRecording(visitor(), streamMegabytes(500))
  expect([withoutLength.status, chunksRead <= 55]).toEqual([413, true])
})

test('rejects an image declared as audio', async () => {
  expect(await errorOf(await uploadRecording(visitor(), buildPng(8, 8)))).toEqual([
    400,
    'bad_input',
    'This file is not a recording: it begins like a picture. Please choose MP3, M4A, Ogg, WebM, WAV or FLAC.',
  ])
})

test('limits recordings per network and per account', async () => {
  const unlimited = { LIMIT_MAIL: { limit: async () => ({ success: true }) } as unknown as RateLimit }
  let host = 0
  // All addresses are in one IPv6 /48, so they count as one network.
  const sendRecording = (browser: ReturnType<typeof newBrowser>) =>
    browser.send('POST', '/api/challenge/recordings', undefined, {
      headers: { 'content-type': 'audio/mpeg', 'cf-connecting-ip': `2001:db8:48:${++host}::1` },
      raw: buildMp3(500),
      env: unlimited,
    })
  const uploadUntilRejected = async (browser: ReturnType<typeof newBrowser>) => {
    for (let acceptedCount = 0; ; acceptedCount++) {
      const response = await sendRecording(browser)
      if (response.status !== 201) return [acceptedCount, ...(await errorOf(response))]
    }
  }
  const [acceptedCount, , code, message] = await uploadUntilRejected(newBrowser({ at: NOON }))
  expect([acceptedCount, code, message]).toEqual([60, 'rate_limited', expect.stringContaining('Log in or sign up')])
  await addNamedUser('pupil')
  const accountBrowser = await browserWithSession('pupil', { at: NOON })
  expect((await uploadUntilRejected(accountBrowser)).slice(0, 3)).toEqual([10, 429, 'rate_limited'])
})

test('accepts uploads and submissions only on submission days', async () => {
  const early = visitor(timestampsOf(DAYS_JULY_2026, 'America/New_York').submissionsOpenAt - 1)
  expect(await statusAndCodeOf(await uploadRecording(early, buildMp3(500)))).toEqual([410, 'closed'])
  const lastVerse = await sendVerse(visitor(SUBMISSIONS_CLOSE - 1), 'july', { email: 'last@mail.example' })
  expect(lastVerse.response.status).toBe(201)
  const { recording } = await (await uploadRecording(visitor(), buildMp3(500))).json<{ recording: string }>()
  const lateResponse = await visitor(SUBMISSIONS_CLOSE).send('POST', '/api/challenges/july/submissions', {
    ...VERSE_FORM,
    email: 'late@mail.example',
    recording,
  })
  expect(await errorOf(lateResponse)).toEqual([410, 'closed', 'Submissions have closed.'])
})

test('withdraws by the emailed link, idempotently', async () => {
  const { recording } = await sendVerse(visitor(), 'july', { email: 'sorry@mail.example' })
  const token = await tokenFromEmail('verse_received', 'sorry@mail.example')
  const withdraw = (text: string) => visitor().send('POST', '/api/challenge/withdraw', { token: text })
  expect(await statusAndCodeOf(await withdraw(`${token.slice(0, -2)}xx`))).toEqual([400, 'bad_token'])
  expect(await findVerses('sorry@mail.example')).toHaveLength(1)
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await (await withdraw(token)).json()).toEqual({ withdrawn: true })
  expect([await findVerses('sorry@mail.example'), await findStoredFile(recording)]).toEqual([[], null])
})

test('withdraws a rated verse with its ratings', async () => {
  await sendVerse(visitor(), 'july', { email: 'rated@mail.example' })
  const [verse] = await findVerses('rated@mail.example')
  const rating = await (await adminBrowser()).send('POST', `/api/verse-submissions/${verse?.id}/rating`, { rating: 5 })
  expect(rating.status).toBe(200)
  const token = await tokenFromEmail('verse_received', 'rated@mail.example')
  expect((await visitor().send('POST', '/api/challenge/withdraw', { token })).status).toBe(200)
  expect(await findVerses('rated@mail.example')).toEqual([])
  const ratings = env.DB.prepare('SELECT count(*) AS n FROM verse_ratings WHERE submission_id = ?1').bind(verse?.id)
  expect(await ratings.first('n')).toBe(0)
})

test('allows withdrawal until the finalist is public', async () => {
  await addNamedUser('picked', { mailboxKey: 'picked@fan.example' })
  const PUBLIC_AT = timestampsOf({ ...DAYS_JULY_2026, finalistsOn: '2026-07-12' }, 'America/New_York').finalistsAt
  await addChallenge('picks', { ...DAYS_JULY_2026, finalistsOn: '2026-07-12', votingFrom: '2026-07-13' })
  const browser = await browserWithSession('picked', { at: NOON })
  const { recording } = await sendVerse(browser, 'picks', { email: 'picked@mail.example' })
  const pick = async () => {
    const [verse] = await findVerses('picked@mail.example')
    const draft = { was: [], finalists: [{ name: 'Picked', submissionId: verse?.id }] }
    expect((await (await adminBrowser()).send('POST', '/api/admin/challenges/picks/finalists', draft)).status).toBe(204)
  }
  await pick()
  const myVerseAt = async (at: number) => {
    const response = await (await browserWithSession('picked', { at })).send('GET', '/api/challenges/picks/mine')
    const { verse } = await response.json<MyChallenge>()
    return [verse?.isFinalist, verse?.canWithdraw]
  }
  expect([await myVerseAt(NOON), await myVerseAt(PUBLIC_AT - 1), await myVerseAt(PUBLIC_AT)]).toEqual([
    [false, true],
    [false, true],
    [true, false],
  ])
  const token = await tokenFromEmail('verse_received', 'picked@mail.example')
  const withdraw = (at: number) => visitor(at).send('POST', '/api/challenge/withdraw', { token })
  expect(await statusAndCodeOf(await withdraw(PUBLIC_AT))).toEqual([409, 'conflict'])
  // As if the verse had been a public finalist before: the email to finalists contains personal data too.
  await env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, created_at)
     SELECT 'email-1', 'finalist:' || submission_id, 'finalist', 'picked@mail.example', 's', 't', 'h', 0
     FROM challenge_finalists WHERE challenge_id = 'picks'`,
  ).run()
  expect((await withdraw(PUBLIC_AT - 1)).status).toBe(200)
  const countFinalists = "SELECT count(*) AS n FROM challenge_finalists WHERE challenge_id = 'picks'"
  expect([await env.DB.prepare(countFinalists).first('n'), await findStoredFile(recording)]).toEqual([0, null])
  // The receipt is deleted as well; the audit log names the verse id only.
  expect(await emailsTo('picked@mail.example')).toEqual([])
  const audit = "SELECT detail FROM audit_log WHERE subject = 'challenge:picks'"
  expect(await env.DB.prepare(audit).first('detail')).toMatch(/^\{"finalists":1,"verses":"[\w-]+"\}$/)
})

test('anonymizes late withdrawals and rejects them for finalists', async () => {
  await sendVerse(visitor(), 'july', { email: 'gone@mail.example' })
  await sendVerse(visitor(), 'july', { email: 'star@mail.example' })
  const [erased] = await findVerses('gone@mail.example')
  const [star] = await findVerses('star@mail.example')
  const finalistsResponse = await (await adminBrowser()).send('POST', '/api/admin/challenges/july/finalists', {
    was: [],
    finalists: [{ name: 'Star', submissionId: star?.id }],
  })
  expect(finalistsResponse.status).toBe(204)
  const withdraw = async (email: string) =>
    visitor(SUBMISSIONS_CLOSE + DAY_MS).send('POST', '/api/challenge/withdraw', {
      token: await tokenFromEmail('verse_received', email),
    })
  expect((await withdraw('gone@mail.example')).status).toBe(200)
  expect(await emailsTo('gone@mail.example')).toEqual([])
  expect(
    await env.DB.prepare(
      'SELECT name, email, phone_number AS phone, audio_key AS audio FROM verse_submissions WHERE id = ?1',
    )
      .bind(erased?.id)
      .first(),
  ).toEqual({ name: 'Deleted', email: 'deleted', phone: '', audio: null })
  expect(await statusAndCodeOf(await withdraw('star@mail.example'))).toEqual([409, 'conflict'])
})

test('serves recordings publicly only for public finalists', async () => {
  const { recording } = await sendVerse(visitor(), 'july', { email: 'heard@mail.example' })
  const [verse] = await findVerses('heard@mail.example')
  const browser = await adminBrowser()
  const part = await browser.send('GET', `/api/verse-submissions/${verse?.id}/audio`, undefined, {
    headers: { range: 'bytes=100-199' },
  })
  expect([part.status, (await part.arrayBuffer()).byteLength, part.headers.get('content-range')]).toEqual([
    206,
    100,
    'bytes 100-199/20000',
  ])
  expect((await send('GET', `/media/uploads/${recording}`, undefined, { at: NOON })).status).toBe(404)
  await browser.send('POST', '/api/admin/challenges/july/finalists', {
    was: await listFinalistIds('july'),
    finalists: [{ name: 'Heard', submissionId: verse?.id }],
  })
  const finalist = await env.DB.prepare('SELECT id FROM challenge_finalists WHERE submission_id = ?1')
    .bind(verse?.id)
    .first<{ id: string }>()
  const play = (at: number) => send('GET', `/api/challenge/finalists/${finalist?.id}/audio`, undefined, { at })
  expect((await play(SUBMISSIONS_CLOSE - 1)).status).toBe(404)
  const playResponse = await play(SUBMISSIONS_CLOSE)
  expect([
    playResponse.status,
    playResponse.headers.get('content-type'),
    playResponse.headers.get('x-content-type-options'),
  ]).toEqual([200, 'audio/mpeg', 'nosniff'])
  await playResponse.arrayBuffer()
})

test('stores shortlist marks and private notes', async () => {
  await sendVerse(visitor(), 'july', { email: 'strong@mail.example' })
  const [verse] = await findVerses('strong@mail.example')
  const browser = await adminBrowser()
  const path = `/api/verse-submissions/${verse?.id}`
  expect((await browser.send('PATCH', path, { shortlisted: true, note: 'The second bar!' })).status).toBe(204)
  const list = async (challenge: string) =>
    (await browser.send('GET', `/api/admin/challenges/${challenge}/submissions?state=shortlist`)).json<
      VerseSubmission[]
    >()
  expect(await list('july')).toMatchObject([
    { id: verse?.id, shortlisted: true, note: 'The second bar!', hasRecording: true, email: 's…@mail.example' },
  ])
  expect(await list('other')).toEqual([])
  expect((await browser.send('PATCH', '/api/verse-submissions/none', { note: '' })).status).toBe(404)
})

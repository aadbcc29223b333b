import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { banSupporter, unbanSupporter } from '../admin/supporters'
import { emailConfirmedStatements } from '../auth/email-confirmed'
import type { PollView } from '../contract/polls'
import { findWrongTotals } from '../db/totals'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { errorOf, getJson, newIsolate, send } from '../testing/client'
import { addPoll, addUser, db, pollCounts } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, sessionFor } from '../testing/users'
import { excludeVotes, includeVotes } from './exclude-votes'
import { personalData } from './personal-data'

let poll: string
beforeAll(async () => {
  await seedSite(env.DB)
  await addNamedUser('admin', { role: 'administrator' })
})
beforeEach(async () => {
  poll = await addPoll()
})

let userCount = 0
/** Adds a user with an unconfirmed address, by default in a mailbox that no other user has; returns their actions. */
async function addVoter(sharedMailboxKey?: string) {
  const email = `voter${++userCount}@mail.example`
  const mailboxKey = sharedMailboxKey ?? email
  const user = await addUser({ email, emailKey: email, mailboxKey, emailVerifiedAt: null })
  const { headers } = await sessionFor(user, NOON)
  return {
    id: user.id,
    headers,
    vote: (at = NOON, target = poll) =>
      send('POST', `/api/polls/${target}/vote`, { optionId: `${target}-a` }, { at, headers }),
    confirm: async (at = NOON, isTakeover = false) => {
      const confirmed = { userId: user.id, email, mailboxKey, isTakeover }
      await env.DB.batch([
        env.DB.prepare('UPDATE users SET email_verified_at = ?2 WHERE id = ?1 AND email = ?3').bind(user.id, at, email),
        ...(await emailConfirmedStatements({ db, secret: env.SIGNING_SECRET }, confirmed, at)),
      ])
    },
    erase: () => eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: user.id, byUserRequest: false }, NOON),
    userVote: async (at = NOON) =>
      (await getJson<PollView[]>('/api/polls/active', { at, headers })).find(({ id }) => id === poll)?.userVote,
  }
}
const isCounted = async (response: Response) => (await response.json<{ counted: boolean }>()).counted
const votesOf = async (id = poll) => (await pollCounts(id))[0]?.votes

test('stores and rewards a vote that counts after confirmation', async () => {
  const voter = await addVoter()
  const response = await voter.vote()
  expect(await response.json()).toEqual({ pointsAwarded: 10, totalPoints: 10, missions: [], counted: false })
  expect([await votesOf(), await voter.userVote()]).toEqual([0, { optionId: `${poll}-a`, counted: false }])
  expect((await errorOf(await voter.vote()))[1]).toBe('already_voted')
  await voter.confirm()
  await voter.confirm()
  expect([await votesOf(), await voter.userVote()]).toEqual([1, { optionId: `${poll}-a`, counted: true }])
})

test('deletes the vote of an account that is taken over', async () => {
  const voter = await addVoter()
  await voter.vote()
  await voter.confirm(NOON, true)
  expect([await votesOf(), await voter.userVote()]).toEqual([0, null])
  // The deleted vote has already earned the points.
  expect(await (await voter.vote(NOON + 1)).json()).toMatchObject({ pointsAwarded: 0, totalPoints: 10, counted: true })
  expect(await votesOf()).toBe(1)
  const { points } = (await env.DB.prepare('SELECT points FROM users WHERE id = ?').bind(voter.id).first())!
  expect(points).toBe(10)
  expect(await findWrongTotals(env.DB)).toEqual([])
})

test('does not count a vote confirmed after the poll ended', async () => {
  const voter = await addVoter()
  await voter.vote()
  await voter.confirm(NOON + HOUR_MS)
  expect(await votesOf()).toBe(0)
})

test('counts the vote of a confirmed account at once', async () => {
  const voter = await addVoter()
  await voter.confirm()
  expect([await isCounted(await voter.vote()), await votesOf()]).toEqual([true, 1])
})

test('reads the mailbox key if the session lacks it', async () => {
  const voter = await addVoter('older@mail.example')
  await voter.confirm()
  await addNamedUser('older', { mailboxKey: 'older@mail.example' })
  const { headers } = await sessionFor({ id: voter.id, sessionEpoch: 0 }, NOON)
  const vote = () => send('POST', `/api/polls/${poll}/vote`, { optionId: `${poll}-a` }, { at: NOON, headers })
  expect(await isCounted(await vote())).toBe(true)
  const otherBrowser = await browserWithSession('older', { at: NOON })
  expect(await isCounted(await otherBrowser.send('POST', `/api/polls/${poll}/vote`, { optionId: `${poll}-a` }))).toBe(
    false,
  )
})

test('counts no vote of twenty unconfirmed accounts', async () => {
  const voters = await Promise.all(Array.from({ length: 20 }, () => addVoter()))
  const responses = await Promise.all(voters.map(({ vote }) => vote()))
  expect(await Promise.all(responses.map(isCounted))).toEqual(Array(20).fill(false))
  expect(await votesOf()).toBe(0)
})

test('counts one vote for five accounts of one mailbox', async () => {
  const countedFlags = []
  for (let n = 0; n < 5; n++) {
    const voter = await addVoter('reused@mail.example')
    await voter.vote()
    await voter.confirm()
    countedFlags.push((await voter.userVote())?.counted)
    await voter.erase()
  }
  expect([countedFlags, await votesOf()]).toEqual([[true, false, false, false, false], 1])
})

test('counts one of twenty concurrent confirmations of a mailbox', async () => {
  const voters = await Promise.all(Array.from({ length: 20 }, () => addVoter('race@mail.example')))
  await Promise.all(voters.map(({ vote }) => vote()))
  await Promise.all(voters.map(({ confirm }) => confirm()))
  const votes = await Promise.all(voters.map(({ userVote }) => userVote()))
  expect([votes.filter((vote) => vote?.counted).length, await votesOf()]).toEqual([1, 1])
})

test('counts a vote that arrives while its voter confirms', async () => {
  const voter = await addVoter()
  await Promise.all([voter.vote(), voter.confirm(), voter.confirm()])
  await voter.confirm()
  expect(await votesOf()).toBe(1)
})

test('excludes and includes the votes of a banned account', async () => {
  const voter = await addVoter()
  await voter.confirm()
  await voter.vote()
  const closed = await addPoll()
  await voter.vote(NOON, closed)
  await env.DB.prepare('UPDATE polls SET ends_at = ?2 WHERE id = ?1').bind(closed, NOON).run()
  const admin = await browserWithSession('admin', { as: 'administrator', at: NOON })
  const post = async (action: string, body?: unknown) =>
    (await admin.send('POST', `/api/admin/supporters/${voter.id}/${action}`, body)).status
  expect(await post('exclude-votes')).toBe(409)
  const unknownId = await admin.send('POST', '/api/admin/supporters/4711/exclude-votes')
  expect(await errorOf(unknownId)).toEqual([404, 'not_found', 'That account does not exist.'])
  await post('ban', { reason: 'A script' })
  expect([await post('exclude-votes'), await post('exclude-votes')]).toEqual([204, 204])
  expect([await votesOf(), await votesOf(closed)]).toEqual([0, 1])
  expect([await post('include-votes'), await votesOf()]).toEqual([204, 1])
  await post('exclude-votes')
  await post('unban')
  expect([await votesOf(), await post('exclude-votes')]).toEqual([1, 409])
  const { results } = await env.DB.prepare("SELECT action FROM audit_log WHERE action GLOB 'supporter.votes_*'").all()
  expect(results.map(({ action }) => action)).toEqual([
    'supporter.votes_excluded',
    'supporter.votes_included',
    'supporter.votes_excluded',
    'supporter.votes_included',
  ])
})

test('hides the polls of a banned account, cached responses included', async () => {
  const author = await addUser()
  await env.DB.prepare('UPDATE polls SET created_by = ?2 WHERE id = ?1').bind(poll, author.id).run()
  const isolate = newIsolate()
  // Each read is a minute later: an isolate checks the data version only every few seconds.
  let at = NOON
  const isListed = async () => {
    at += MINUTE_MS
    const polls = await (await isolate.request('/api/polls/active', {}, at)).json<PollView[]>()
    return polls.some(({ id }) => id === poll)
  }
  const actor = { actorId: author.id, at: NOON }
  expect(await isListed()).toBe(true)
  await banSupporter(db, author.id, 'A script', actor)
  expect([await isListed(), (await (await addVoter()).vote()).status]).toEqual([false, 404])
  await unbanSupporter(db, author.id, actor)
  expect([await isListed(), (await (await addVoter()).vote()).status]).toEqual([true, 200])
})

test('rejects changes of a stored vote', async () => {
  const voter = await addVoter()
  await voter.confirm()
  await voter.vote()
  for (const change of [`option_id = '${poll}-b'`, 'cast_at = 1', 'user_id = 1', 'counted_at = NULL', 'counted_at = 1'])
    await expect(
      env.DB.prepare(`UPDATE poll_votes SET ${change} WHERE user_id = ?1`).bind(voter.id).run(),
    ).rejects.toThrow('a vote is final')
})

test('deletes mailbox hashes thirty days after the end', async () => {
  const voter = await addVoter()
  await voter.confirm()
  await voter.vote()
  const countMailboxes = () =>
    env.DB.prepare('SELECT count(*) AS n FROM poll_mailboxes WHERE poll_id = ?1').bind(poll).first('n')
  const job = personalData.retention?.find(({ name }) => name === 'Delete mailbox hashes of closed polls')
  const runJob = (at: number) => job?.step({ db, files: env.FILES, secret: env.SIGNING_SECRET } as never, at)
  await runJob(NOON + HOUR_MS + 30 * DAY_MS - 1)
  expect(await countMailboxes()).toBe(1)
  await runJob(NOON + HOUR_MS + 30 * DAY_MS)
  expect([await countMailboxes(), await votesOf()]).toEqual([0, 1])
})

test('counts each mailbox once in any order of actions', async () => {
  const action = fc.record({
    voter: fc.nat(5),
    kind: fc.constantFrom(
      'vote',
      'vote',
      'confirm',
      'confirm',
      'takeOver',
      'ban',
      'unban',
      'exclude',
      'include',
      'erase',
      'close',
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
      poll = await addPoll()
      const voters = await Promise.all(
        Array.from({ length: 6 }, (_, n) => addVoter(`shared${n % 3}-${poll}@mail.example`)),
      )
      const actor = { actorId: voters[0]!.id, at: NOON }
      const setBanned = (at: number | null, id: number) =>
        env.DB.prepare('UPDATE users SET banned_at = ?1 WHERE id = ?2').bind(at, id).run()
      const perform: Record<string, (voter: (typeof voters)[number]) => Promise<unknown>> = {
        vote: (voter) => voter.vote(),
        confirm: (voter) => voter.confirm(),
        takeOver: (voter) => voter.confirm(NOON, true),
        ban: ({ id }) => setBanned(1, id),
        unban: ({ id }) => setBanned(null, id),
        exclude: ({ id }) => excludeVotes(db, id, actor).catch(() => undefined),
        include: ({ id }) => includeVotes(db, id, actor),
        erase: (voter) => voter.erase().catch(() => undefined),
        close: () => env.DB.prepare('UPDATE polls SET ends_at = ?2 WHERE id = ?1').bind(poll, NOON).run(),
      }
      await Promise.all(actions.map(({ voter, kind }) => perform[kind]!(voters[voter]!)))
      const wrong = await env.DB.prepare(
        `SELECT 'count' AS wrong FROM poll_options WHERE poll_id = ?1 AND votes <> (SELECT count(*) FROM poll_votes
           WHERE option_id = poll_options.id AND counted_at IS NOT NULL AND excluded_at IS NULL)
         UNION ALL SELECT 'mailboxes' WHERE (SELECT count(*) FROM poll_votes WHERE poll_id = ?1 AND counted_at IS NOT NULL)
           <> (SELECT count(*) FROM poll_mailboxes WHERE poll_id = ?1)`,
      )
        .bind(poll)
        .all()
      expect(wrong.results).toEqual([])
    }),
    { numRuns: 12 },
  )
})

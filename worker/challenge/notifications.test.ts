import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { Env } from '../env'
import worker from '../index'
import { DAY_MS } from '../lib/clock'
import { newBrowser } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { addChallenge, DAYS_JULY_2026, db, sendVerse } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, uniqueIp } from '../testing/users'
import { timestampsOf } from './challenge-state'
import { notifyEntrants } from './notifications'

const { submissionsCloseAt: CLOSES, votingClosesAt, publishAt } = timestampsOf(DAYS_JULY_2026, 'America/New_York')
const visitor = () => newBrowser({ address: uniqueIp(), at: NOON })
const findVerse = (email: string) =>
  env.DB.prepare('SELECT id FROM verse_submissions WHERE email = ?1').bind(email).first<string>('id')

const runScheduledJobs = (at: number) =>
  worker.scheduled({ scheduledTime: at, cron: '*/5 * * * *' } as ScheduledController, env as Env)

beforeAll(async () => {
  await seedSite(env.DB)
  await addNamedUser('admin', { role: 'administrator' })
})

test('emails finalists and winners once each', async () => {
  await addChallenge('notified', { ...DAYS_JULY_2026, title: 'Sixteen Bars' })
  const names = ['low', 'high', 'out', 'gone']
  for (const name of names) await sendVerse(visitor(), 'notified', { email: `${name}@notified.example` })
  const ids = await Promise.all(names.map((name) => findVerse(`${name}@notified.example`)))
  const [low, high, , gone] = ids
  const finalists = [
    { name: 'Low Tide', submissionId: low },
    { name: 'High Water', submissionId: high },
    { name: 'Nobody', submissionId: gone },
    { name: 'No Verse', submissionId: null },
  ]
  const admin = await browserWithSession('admin', { as: 'administrator', at: NOON })
  const saved = await admin.send('POST', '/api/admin/challenges/notified/finalists', { was: [], finalists })
  expect(saved.status).toBe(204)
  const kindsSentTo = async (name: string) =>
    (await emailsTo(`${name}@notified.example`)).map(({ kind }) => kind).filter((kind) => kind !== 'verse_received')
  const kindsSentToAll = async () => Promise.all(names.map(kindsSentTo))
  await runScheduledJobs(CLOSES - 1)
  expect(await kindsSentToAll()).toEqual([[], [], [], []])
  const token = await tokenFromEmail('verse_received', 'gone@notified.example')
  await visitor().send('POST', '/api/challenge/withdraw', { token })
  await Promise.all([runScheduledJobs(CLOSES), runScheduledJobs(CLOSES)])
  await runScheduledJobs(CLOSES + DAY_MS)
  expect(await kindsSentToAll()).toEqual([['finalist'], ['finalist'], [], []])
  const link = /https:\/\/fan\.example\/challenge\/notified/
  expect((await emailsTo('low@notified.example')).find(({ kind }) => kind === 'finalist')?.text).toMatch(link)
  await env.DB.prepare(
    `INSERT INTO challenge_ballots (challenge_id, finalist_id, cast_at, voter_pseudonym)
     SELECT 'notified', id, 0, 'p' FROM challenge_finalists WHERE submission_id = ?1`,
  )
    .bind(high)
    .run()
  await runScheduledJobs(votingClosesAt)
  await runScheduledJobs(publishAt - 1)
  expect(await kindsSentTo('high')).toEqual(['finalist'])
  await Promise.all([runScheduledJobs(publishAt), runScheduledJobs(publishAt)])
  await runScheduledJobs(publishAt + DAY_MS)
  expect(await kindsSentToAll()).toEqual([
    ['challenge_result', 'finalist'],
    ['challenge_result', 'challenge_won', 'finalist'],
    [],
    [],
  ])
  const selectHash = "SELECT ballots_sha256 AS sha256 FROM challenges WHERE id = 'notified'"
  const sha256 = (await env.DB.prepare(selectHash).first<string>('sha256'))!
  const loserEmail = (await emailsTo('low@notified.example')).find(({ kind }) => kind === 'challenge_result')?.text
  for (const part of [sha256, /Ballots:? *1\b/, link]) expect(loserEmail).toMatch(part)
  // A daily job deletes old outbox rows; no email is sent again after that.
  await env.DB.prepare("DELETE FROM outbox WHERE kind IN ('finalist', 'challenge_won', 'challenge_result')").run()
  await runScheduledJobs(publishAt + 31 * DAY_MS)
  expect(await kindsSentToAll()).toEqual([[], [], [], []])
})

/**
 * Adds a challenge with the finalists Ada and Bo, whose verses came from `<name>@<id>.example`, and with these votes.
 * Returns a function that reads the texts of Ada's emails of a kind.
 */
async function addTwoFinalists(id: string, votes: readonly [number, number] = [0, 0]) {
  await addChallenge(id, { ...DAYS_JULY_2026, title: id, finalists: ['Ada', 'Bo'] })
  for (const [i, name] of ['Ada', 'Bo'].entries()) {
    const insertVerse = `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at)
      VALUES (?1 || ?2, ?1, ?2, lower(?2) || '@' || ?1 || '.example', '', 0)`
    const insertBallots = `INSERT INTO challenge_ballots (challenge_id, finalist_id, cast_at, voter_pseudonym)
      SELECT ?1, ?1 || '-' || ?2, 0, ?2 || value FROM json_each(?3)`
    await env.DB.batch([
      env.DB.prepare(insertVerse).bind(id, name),
      env.DB.prepare('UPDATE challenge_finalists SET submission_id = ?1 || ?2 WHERE id = ?1 || ?3').bind(
        id,
        name,
        `-${name}`,
      ),
      env.DB.prepare(insertBallots).bind(id, name, JSON.stringify(Array.from({ length: votes[i] ?? 0 }, (_, n) => n))),
    ])
  }
  return async (kind: string) =>
    (await emailsTo(`ada@${id}.example`)).filter((email) => email.kind === kind).map(({ text }) => text)
}

test('notifies tied winners that they share first place', async () => {
  const [tiedEmails, soleEmails] = [await addTwoFinalists('tied', [1, 1]), await addTwoFinalists('alone', [2, 1])]
  await runScheduledJobs(votingClosesAt)
  await runScheduledJobs(publishAt)
  const [shared] = await tiedEmails('challenge_won')
  expect(shared).toContain('You share first place with Bo. The team will write to you about the prize.')
  expect(shared).not.toContain('contact you about the prize')
  const [won] = await soleEmails('challenge_won')
  expect(won).toContain('The team will contact you about the prize')
  expect(won).not.toContain('share')
})

test.each([
  ['voting is over', 'UPDATE challenges SET voting_closes_at = ?2 WHERE id = ?1', 0],
  ['the votes are final', 'UPDATE challenges SET sealed_at = ?2 WHERE id = ?1', 0],
  ['the challenge is removed', 'UPDATE challenges SET removed_at = ?2 WHERE id = ?1', 0],
  ['still running', 'UPDATE challenges SET removed_at = NULL WHERE id = ?1 AND ?2', 1],
])('emails finalists only while the challenge is running: %s', async (reason, change, emailCount) => {
  const id = reason.replaceAll(' ', '-')
  const emailsToAda = await addTwoFinalists(id)
  await env.DB.prepare(change).bind(id, CLOSES).run()
  await notifyEntrants({ db, origin: 'https://fan.example' }, CLOSES)
  expect(await emailsToAda('finalist')).toHaveLength(emailCount)
})

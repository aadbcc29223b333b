import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { Env } from '../config'
import worker from '../index'
import { DAY } from '../lib/clock'
import { newBrowser } from '../testing/browser'
import { addChallenge, DAYS_OF_JULY, sendVerse } from '../testing/challenges'
import { furnish, NOON } from '../testing/furnish'
import { mailsTo, tokenOf } from '../testing/mails'
import { addPerson, entered, freshAddress } from '../testing/people'
import { instantsOf } from './states'
import { tellEntrants } from './tell'

const { submissionsCloseAt: CLOSES, votingClosesAt, publishAt } = instantsOf(DAYS_OF_JULY, 'America/New_York')
const visitor = () => newBrowser({ address: freshAddress(), at: NOON })
const verseOf = (email: string) =>
  env.DB.prepare('SELECT id FROM verse_submissions WHERE email = ?1').bind(email).first<string>('id')

const tick = (at: number) =>
  worker.scheduled({ scheduledTime: at, cron: '*/5 * * * *' } as ScheduledController, env as Env)

beforeAll(async () => {
  await furnish(env.DB)
  await addPerson('desk', { role: 'administrator' })
})

test('finalists are written to once when everybody may know, who won once the result is public, and nobody else', async () => {
  await addChallenge('told', { ...DAYS_OF_JULY, title: 'Sixteen Bars' })
  const names = ['low', 'high', 'out', 'gone']
  for (const name of names) await sendVerse(visitor(), 'told', { email: `${name}@told.example` })
  const ids = await Promise.all(names.map((name) => verseOf(`${name}@told.example`)))
  const [low, high, , gone] = ids
  const finalists = [
    { name: 'Low Tide', submissionId: low },
    { name: 'High Water', submissionId: high },
    { name: 'Nobody', submissionId: gone },
    { name: 'No Verse', submissionId: null },
  ]
  const desk = await entered('desk', { as: 'administrator', at: NOON })
  const named = await desk.send('POST', '/api/admin/challenges/told/finalists', { was: [], finalists })
  expect(named.status).toBe(204)
  const kinds = async (name: string) =>
    (await mailsTo(`${name}@told.example`)).map(({ kind }) => kind).filter((kind) => kind !== 'verse_received')
  const told = async () => Promise.all(names.map(kinds))
  await tick(CLOSES - 1)
  expect(await told()).toEqual([[], [], [], []])
  const token = await tokenOf('verse_received', 'gone@told.example')
  await visitor().send('POST', '/api/challenge/withdraw', { token })
  await Promise.all([tick(CLOSES), tick(CLOSES)])
  await tick(CLOSES + DAY)
  expect(await told()).toEqual([['finalist'], ['finalist'], [], []])
  const link = /https:\/\/fan\.example\/challenge\/told/
  expect((await mailsTo('low@told.example')).find(({ kind }) => kind === 'finalist')?.text).toMatch(link)
  await env.DB.prepare(
    `INSERT INTO challenge_ballots (challenge_id, finalist_id, cast_at, voter_pseudonym)
     SELECT 'told', id, 0, 'p' FROM challenge_finalists WHERE submission_id = ?1`,
  )
    .bind(high)
    .run()
  await tick(votingClosesAt)
  await tick(publishAt - 1)
  expect(await kinds('high')).toEqual(['finalist'])
  await Promise.all([tick(publishAt), tick(publishAt)])
  await tick(publishAt + DAY)
  expect(await told()).toEqual([
    ['challenge_result', 'finalist'],
    ['challenge_result', 'challenge_won', 'finalist'],
    [],
    [],
  ])
  // Losers hold a witness of the count that nobody can change any more.
  const { sha256 } = (await env.DB.prepare(
    "SELECT ballots_sha256 AS sha256 FROM challenges WHERE id = 'told'",
  ).first()) as {
    sha256: string
  }
  const witness = (await mailsTo('low@told.example')).find(({ kind }) => kind === 'challenge_result')?.text
  for (const part of [sha256, /Ballots:? *1\b/, link]) expect(witness).toMatch(part)
  // What was written long ago is forgotten by the outbox, and not written again.
  await env.DB.prepare("DELETE FROM outbox WHERE kind IN ('finalist', 'challenge_won', 'challenge_result')").run()
  await tick(publishAt + 31 * DAY)
  expect(await told()).toEqual([[], [], [], []])
})

/** A challenge with two finalists whose verses came from `<name>@<id>.example`, each with so many votes. */
async function withTwo(id: string, votes: readonly [number, number] = [0, 0]) {
  await addChallenge(id, { ...DAYS_OF_JULY, title: id, finalists: ['Ada', 'Bo'] })
  for (const [i, name] of ['Ada', 'Bo'].entries()) {
    const verse = `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at)
      VALUES (?1 || ?2, ?1, ?2, lower(?2) || '@' || ?1 || '.example', '', 0)`
    const cast = `INSERT INTO challenge_ballots (challenge_id, finalist_id, cast_at, voter_pseudonym)
      SELECT ?1, ?1 || '-' || ?2, 0, ?2 || value FROM json_each(?3)`
    await env.DB.batch([
      env.DB.prepare(verse).bind(id, name),
      env.DB.prepare('UPDATE challenge_finalists SET submission_id = ?1 || ?2 WHERE id = ?1 || ?3').bind(
        id,
        name,
        `-${name}`,
      ),
      env.DB.prepare(cast).bind(id, name, JSON.stringify(Array.from({ length: votes[i] ?? 0 }, (_, n) => n))),
    ])
  }
  return async (kind: string) =>
    (await mailsTo(`ada@${id}.example`)).filter((mail) => mail.kind === kind).map(({ text }) => text)
}

test('whoever has as many votes as another is told that first place is shared, and promised nothing', async () => {
  const [tied, alone] = [await withTwo('tied', [1, 1]), await withTwo('alone', [2, 1])]
  await tick(votingClosesAt)
  await tick(publishAt)
  const [shared] = await tied('challenge_won')
  expect(shared).toContain('You share first place with Bo; the team will write how the prize is handed over.')
  expect(shared).not.toContain('in touch about the prize')
  const [won] = await alone('challenge_won')
  expect(won).toContain('The team will be in touch about the prize')
  expect(won).not.toContain('share')
})

test.each([
  ['voting is over', 'UPDATE challenges SET voting_closes_at = ?2 WHERE id = ?1', 0],
  ['the votes are fixed', 'UPDATE challenges SET sealed_at = ?2 WHERE id = ?1', 0],
  ['it is off the site', 'UPDATE challenges SET removed_at = ?2 WHERE id = ?1', 0],
  ['it stands', 'UPDATE challenges SET removed_at = NULL WHERE id = ?1 AND ?2', 1],
])('finalists of a challenge are not written to when %s', async (why, change, letters) => {
  const id = why.replaceAll(' ', '-')
  const mails = await withTwo(id)
  await env.DB.prepare(change).bind(id, CLOSES).run()
  await tellEntrants(env.DB, 'https://fan.example', CLOSES)
  expect(await mails('finalist')).toHaveLength(letters)
})

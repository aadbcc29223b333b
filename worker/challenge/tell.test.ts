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

const { submissionsCloseAt: CLOSES, votingClosesAt, publishAt } = instantsOf(DAYS_OF_JULY, 'America/New_York')
const visitor = () => newBrowser({ address: freshAddress(), at: NOON })
const verseOf = (email: string) =>
  env.DB.prepare('SELECT id FROM verse_submissions WHERE email = ?1').bind(email).first<string>('id')

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
  const tick = (at: number) =>
    worker.scheduled({ scheduledTime: at, cron: '*/5 * * * *' } as ScheduledController, env as Env)
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
  expect(await told()).toEqual([['finalist'], ['challenge_won', 'finalist'], [], []])
  // What was written long ago is forgotten by the outbox, and not written again.
  await env.DB.prepare("DELETE FROM outbox WHERE kind IN ('finalist', 'challenge_won')").run()
  await tick(publishAt + 31 * DAY)
  expect(await told()).toEqual([[], [], [], []])
})

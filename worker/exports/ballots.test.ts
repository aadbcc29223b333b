import { env } from 'cloudflare:test'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { seedFinishedChallenge } from '../../scripts/demo/challenge'
import { changeTeamRole } from '../admin/team'
import { HOUR_MS } from '../lib/clock'
import { errorOf, send, statusAndCodeOf } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, logInWithPassword, uniqueIp } from '../testing/users'

const logInAdmin = () => logInWithPassword('admin', { as: 'administrator', at: NOON })
beforeAll(async () => {
  await seedSite(env.DB)
  await seedFinishedChallenge(env.DB)
  await addNamedUser('admin', { role: 'administrator' })
  await addNamedUser('second', { role: 'administrator' })
})

const countBallots = (csv: string) => {
  const rows = parse(csv, { bom: true, columns: true }) as Record<string, string>[]
  const votes = new Map<string, number>()
  for (const { finalist = '' } of rows) votes.set(finalist, (votes.get(finalist) ?? 0) + 1)
  return { rows, votes: [...votes.values()].sort((a, b) => b - a) }
}

test.each(['/api/download/golden-verse-votes', '/complete_994_votes.csv'])(
  'serves 994 pseudonymous ballots at %s',
  async (path) => {
    const response = await (await logInAdmin()).send('GET', path)
    const bytes = await response.arrayBuffer()
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    expect(text.startsWith('\ufeffballot,castAt,finalist,voterPseudonym\r\n')).toBe(true)
    const { rows, votes } = countBallots(text)
    expect([rows.length, votes]).toEqual([994, [421, 363, 150, 35, 9, 8, 8]])
    expect(new Set(rows.map(({ voterPseudonym }) => voterPseudonym)).size).toBe(994)
    expect(text).not.toContain('@')
    expect(['content-type', 'content-disposition', 'cache-control'].map((name) => response.headers.get(name))).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="complete_994_votes.csv"',
      'private, no-store',
    ])
  },
)

test('writes a lost ballots file again', async () => {
  const browser = await logInAdmin()
  const get = async () => countBallots(await (await browser.send('GET', '/complete_994_votes.csv')).text()).votes
  await get()
  for (const { key } of (await env.FILES.list({ prefix: 'exports/ballots-' })).objects) await env.FILES.delete(key)
  expect(await get()).toEqual([421, 363, 150, 35, 9, 8, 8])
})

test('audits each download once', async () => {
  const browser = await logInAdmin()
  const countAuditEntries = async () =>
    (await env.DB.prepare("SELECT count(*) AS n FROM audit_log WHERE action = 'ballots.downloaded'").first<{
      n: number
    }>())!.n
  const before = await countAuditEntries()
  for (const range of ['bytes=0-99', 'bytes=100-199', 'bytes=200-'])
    await (await browser.send('GET', '/complete_994_votes.csv', undefined, { headers: { range } })).arrayBuffer()
  await browser.send('HEAD', '/complete_994_votes.csv')
  expect(await countAuditEntries()).toBe(before + 1)
})

const emailLink = async (to: string, from = 'admin') => {
  const browser = await logInWithPassword(from, { as: 'administrator', at: NOON })
  const response = await browser.send('POST', '/api/email/golden-verse-csv', { email: to })
  return { response, token: /token=(\S+)/.exec((await emailsTo(to))[0]?.text ?? '')?.[1] ?? '' }
}
const redeem = (token: string, at = NOON) =>
  send('POST', '/api/csv-link', { token }, { at, headers: { 'cf-connecting-ip': uniqueIp() } })
const INVALID_LINK = [400, 'bad_token']
const redeemError = async (token: string, at?: number) => await statusAndCodeOf(await redeem(token, at))

test('allows five downloads per link', async () => {
  const { response, token } = await emailLink('press@mail.example')
  expect([response.status, await response.json()]).toEqual([200, { queued: true }])
  for (let use = 0; use < 5; use++) expect(countBallots(await (await redeem(token)).text()).rows).toHaveLength(994)
  expect(await redeemError(token)).toEqual(INVALID_LINK)
  const usedLinks = await env.DB.prepare("SELECT count(*) AS n FROM audit_log WHERE action = 'csv_link.used'").first()
  expect(usedLinks).toEqual({ n: 5 })
})

test('opening a link uses up no download', async () => {
  const { token } = await emailLink('scanner@mail.example')
  for (let i = 0; i < 6; i++)
    expect((await send('GET', `/csv-link?token=${token}`, undefined, { at: NOON })).status).toBe(200)
  expect((await redeem(token)).status).toBe(200)
})

test('allows five of ten concurrent downloads of a link', async () => {
  const { token } = await emailLink('racers@mail.example')
  const responses = await Promise.all(Array.from({ length: 10 }, () => redeem(token)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
})

test('rejects links that are expired, altered or from former admins', async () => {
  const { token } = await emailLink('late@mail.example', 'second')
  expect(await redeemError(token, NOON + 24 * HOUR_MS)).toEqual(INVALID_LINK)
  expect(await redeemError(`${token.slice(0, -2)}xx`)).toEqual(INVALID_LINK)
  expect(await redeemError('nonsense')).toEqual(INVALID_LINK)
  expect((await redeem(token, NOON + 24 * HOUR_MS - 1)).status).toBe(200)
  await env.DB.prepare("UPDATE users SET role = 'supporter' WHERE username = 'second'").run()
  expect(await redeemError(token)).toEqual(INVALID_LINK)
})

test('rejects a link whose sender became an editor', async () => {
  const { id } = await addNamedUser('demoted', { role: 'administrator' })
  const { token } = await emailLink('demoted@mail.example', 'demoted')
  await changeTeamRole(db, { id, teamRole: 'editor' }, { actorId: id, at: NOON })
  expect(await redeemError(token)).toEqual(INVALID_LINK)
})

test('limits links to five per hour', async () => {
  await addNamedUser('third', { role: 'administrator' })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await emailLink(`many${i}@mail.example`, 'third')).response.status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('requires exactly one address', async () => {
  const browser = await logInAdmin()
  for (const email of ['a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example', ''])
    expect((await browser.send('POST', '/api/email/golden-verse-csv', { email })).status).toBe(400)
})

test('skips newer challenges without votes', async () => {
  await env.DB.prepare(
    `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until,
       winner_on, closed_on, publish_at, sealed_at, ballots_sha256, ballots_count, excluded_count)
     SELECT 'unvoted', 'Nobody came', prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until,
       winner_on, closed_on, publish_at + 1, sealed_at, ballots_sha256, 0, 0 FROM challenges LIMIT 1`,
  ).run()
  const response = await (await logInAdmin()).send('GET', '/complete_994_votes.csv')
  expect([response.status, countBallots(await response.text()).rows.length]).toEqual([200, 994])
})

test('answers 404 before a challenge has finished', async () => {
  const early = Date.parse('2025-07-01T00:00:00Z')
  const browser = await logInWithPassword('admin', { as: 'administrator', at: early })
  expect(await errorOf(await browser.send('GET', '/complete_994_votes.csv'))).toEqual([
    404,
    'not_found',
    'There are no ballots yet. They come with the first finished challenge.',
  ])
})

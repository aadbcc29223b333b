import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { CodeBatch, Redemption } from '../contract/download-codes'
import type { Download } from '../contract/downloads'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { errorOf, newBrowser, send } from '../testing/client'
import { addDigitalRelease, prepareAll } from '../testing/downloads'
import { loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { addNamedUser, browserWithSession, cookieHeaderFor, uniqueIp } from '../testing/users'

let cookie = ''
let goodId = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
  goodId = `release:${(await addDigitalRelease()).slug}`
  await prepareAll()
})

const asAdmin = (method: string, path: string, body?: unknown) =>
  send(method, path, body, { at: NOON, headers: { cookie } })

async function addCodes(size: number): Promise<{ batch: CodeBatch; codes: string[] }> {
  const batch = await (
    await asAdmin('POST', '/api/admin/download-codes', { name: 'Cards', good: goodId, size })
  ).json<CodeBatch>()
  const csv = await (await asAdmin('GET', `/api/admin/download-codes/${batch.id}/csv`)).text()
  return {
    batch,
    codes: csv
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(',')[0] ?? ''),
  }
}

/** The key that a browser would generate: at least 22 characters. */
const keyOf = (name: string) => name.padEnd(22, 'k')
const redeem = (code: string, key: string, at = NOON) =>
  newBrowser({ address: uniqueIp() }).send('POST', '/api/redeem', { code, key: keyOf(key) }, { at })

test('accepts a code again from its browser for 30 days', async () => {
  const { codes } = await addCodes(2)
  const [code = ''] = codes
  const first = await (await redeem(code, 'a')).json<Redemption>()
  expect(first.downloads[0]?.formats.map(({ name }) => name)).toEqual(['FLAC', 'MP3'])
  const again = await redeem(` ${code.toLowerCase().replaceAll('-', ' ')}`, 'a', NOON + 29 * DAY_MS)
  const { downloads } = await again.json<Redemption>()
  expect(downloads[0]?.title).toBe(first.downloads[0]?.title)
  const file = await send('GET', downloads[0]?.formats[0]?.url ?? '', undefined, { at: NOON + 29 * DAY_MS })
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const usedCodeError = [410, 'code_used', 'This code has been used already. Each code works once.']
  expect(await errorOf(await redeem(code, 'b'))).toEqual(usedCodeError)
  expect(await errorOf(await redeem(code, 'a', NOON + 30 * DAY_MS))).toEqual(usedCodeError)
  expect((await redeem(codes[1] ?? '', 'b')).status).toBe(200)
})

test('gives a code to one of a hundred concurrent browsers', async () => {
  const { codes } = await addCodes(1)
  const responses = await Promise.all(Array.from({ length: 100 }, (_, index) => redeem(codes[0] ?? '', `race${index}`)))
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 410)).toHaveLength(99)
})

test('adds a redeemed code to the account’s library', async () => {
  const { id } = await addNamedUser('redeemer')
  const browser = await browserWithSession('redeemer', { at: NOON })
  const { codes } = await addCodes(1)
  const library = async (at = NOON) => (await browser.send('GET', '/api/library', undefined, { at })).json<Download[]>()
  // First without the account, then again in the same browser.
  expect(await (await redeem(codes[0] ?? '', 'a')).json()).toMatchObject({ isInLibrary: false })
  expect(await library()).toEqual([])
  const body = { code: codes[0], key: keyOf('a') }
  const again = await browser.send('POST', '/api/redeem', body, { at: NOON + HOUR_MS })
  expect(await again.json()).toMatchObject({ isInLibrary: true })
  const [download] = await library()
  expect(download?.formats.map(({ name }) => name)).toEqual(['FLAC', 'MP3'])
  await env.DB.prepare('UPDATE download_codes SET redeemed_at = ?2 WHERE user_id = ?1')
    .bind(id, NOON - 40 * DAY_MS)
    .run()
  const file = await browser.send('GET', (await library())[0]?.formats[0]?.url ?? '', undefined, { at: NOON })
  expect(file.status).toBe(200)
})

test('rejects an unknown code', async () => {
  expect((await errorOf(await redeem('ABCD-EFGH-JKMN', 'a'))).slice(0, 2)).toEqual([400, 'unknown_code'])
})

test('limits attempts per IP address', async () => {
  const browser = newBrowser({ address: uniqueIp() })
  const requests = Array.from({ length: 25 }, (_, index) =>
    browser.send('POST', '/api/redeem', { code: `GUESS-${index}`, key: keyOf('a') }, { at: NOON }),
  )
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
})

test('stores no code in plain text', async () => {
  const { batch, codes } = await addCodes(50)
  expect(new Set(codes).size).toBe(50)
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
  const { results } = await env.DB.prepare('SELECT * FROM download_codes WHERE batch_id = ?').bind(batch.id).all()
  const stored = JSON.stringify(results)
  for (const code of codes) expect(stored.includes(code) || stored.includes(code.replaceAll('-', ''))).toBe(false)
})

test('prints cards of the unused codes', async () => {
  const { batch, codes } = await addCodes(3)
  await redeem(codes[0] ?? '', 'a')
  const page = await asAdmin('GET', `/api/admin/download-codes/${batch.id}/cards`)
  const html = await page.text()
  expect([html.includes(codes[0] ?? ''), html.includes(codes[1] ?? ''), html.match(/<svg/g)?.length]).toEqual([
    false,
    true,
    2,
  ])
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
  expect(page.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
  const list = await (await asAdmin('GET', '/api/admin/download-codes')).json<CodeBatch[]>()
  expect(list.find(({ id }) => id === batch.id)).toMatchObject({ size: 3, redeemed: 1 })
})

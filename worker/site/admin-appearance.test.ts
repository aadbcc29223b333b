import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminLegalText, AppearanceDraft } from '../contract/appearance'
import type { SiteConfig } from '../contract/site'
import { getJson, send } from '../testing/client'
import { APPEARANCE_DRAFT } from '../testing/drafts'
import { loadFixtures } from '../testing/fixtures'
import { getPage } from '../testing/pages'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})

const request = (method: string, path: string, body?: unknown) =>
  send(method, `/api/admin/${path}`, body, { headers: { cookie }, at: NOON })
const read = async () => (await (await request('GET', 'appearance')).json()) as AppearanceDraft
const save = async (changes: Partial<AppearanceDraft>) =>
  request('PATCH', 'appearance', { ...APPEARANCE_DRAFT, ...(await read()), ...changes })
const auditCount = () =>
  env.DB.prepare("SELECT count(*) AS count FROM audit_log WHERE action = 'appearance.changed'").first<number>('count')
const config = () => getJson<SiteConfig>('/api/config', { at: NOON })
const sectionIndex = (html: string, id: string) => html.indexOf(`<section id="${id}"`)

test('publishes the accent color with its tones', async () => {
  expect((await config()).appearance?.accent).toBeNull()
  expect((await save({ accent: '#8fd3c8' })).status).toBe(204)
  expect((await config()).appearance).toMatchObject({ accent: '#8fd3c8' })
  for (const path of ['/', '/no-such-page'])
    expect(await getPage(path)).toMatch(
      /<html lang="en-US" style="--color-gold:#8fd3c8;--color-gold-bright:oklch\(from/,
    )
  expect((await save({ accent: null })).status).toBe(204)
  expect(await getPage('/')).toContain('<html lang="en-US">')
})

test('orders and hides sections of the home page', async () => {
  const { sections } = await read()
  const changed = [...sections.slice(1), ...sections.slice(0, 1)].map((section) =>
    section.id === 'concerts' ? { ...section, isVisible: false } : section,
  )
  expect((await save({ sections: changed })).status).toBe(204)
  const html = await getPage('/')
  expect(sectionIndex(html, 'concerts')).toBe(-1)
  expect(sectionIndex(html, 'merch')).toBeGreaterThan(0)
  expect(sectionIndex(html, 'music')).toBeGreaterThan(sectionIndex(html, 'merch'))
  expect(html).toContain('<link rel="expect" href="#merch" blocking="render">')
  expect(html).not.toContain('href="/#concerts"')
  expect(html).toMatch(/href="\/#merch"/)
})

test('labels the navigation', async () => {
  await save({ labels: { ...APPEARANCE_DRAFT.labels, concerts: ' On tour ' } })
  const html = await getPage('/')
  expect(html).toContain('On tour')
  expect((await config()).appearance?.labels).toEqual({ concerts: 'On tour' })
})

test('rejects a change based on an outdated version', async () => {
  const [before, count] = [await read(), await auditCount()]
  await save({ accent: '#8fd3c8' })
  const lateResponse = await request('PATCH', 'appearance', { ...before, accent: '#ffffff' })
  expect([lateResponse.status, lateResponse.headers.get('x-error-code')]).toEqual([409, 'conflict'])
  expect(await read()).toMatchObject({ accent: '#8fd3c8', version: before.version + 1 })
  expect(await auditCount()).toBe((count ?? 0) + 1)
})

const listTexts = async () => (await (await request('GET', 'legal-texts')).json()) as AdminLegalText[]
const versionOf = async (id: string) => (await listTexts()).find((text) => text.id === id)?.version ?? 0
const saveText = (id: string, text: string, version: number) =>
  request('PATCH', `legal-texts/${id}`, { text, version }).then(({ status }) => status)

test('publishes a legal text with a page and a link', async () => {
  expect(
    await saveText('terms', '## Orders\n\nWe *ship* [soon](https://any.example).\n<script>alert(1)</script>', 1),
  ).toBe(204)
  const html = await getPage('/legal/terms')
  expect(html).toContain('<title>Terms of Sale | Any Artist</title>')
  expect(html).toContain('<h3>Orders</h3>')
  expect(html).toContain('<em>ship</em> <a href="https://any.example/">soon</a>')
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toContain('<script>alert')
  expect(await getPage('/')).toContain('href="/legal/terms"')
  expect(await saveText('terms', '', 2)).toBe(204)
  expect((await send('GET', '/legal/terms', undefined, { at: NOON })).status).toBe(404)
})

test.each([
  ['[x](javascript:alert(1))', '<p>x</p>'],
  ['[x](//evil.example)', '<p>x</p>'],
  ['![x](https://evil.example/a.png)', '<p>x</p>'],
  ['[x](/merch)', '<p><a href="/merch">x</a></p>'],
  ['[x](https://a.example/"onmouseover="x)', '<p><a href="https://a.example/%22onmouseover=%22x">x</a></p>'],
])('renders %s safely', async (text, html) => {
  await saveText('imprint', text, await versionOf('imprint'))
  expect(await getJson('/api/legal/imprint')).toEqual({ id: 'imprint', html: `${html}\n` })
})

test('accepts one of two concurrent first versions', async () => {
  expect(await Promise.all([saveText('returns', 'One.', 0), saveText('returns', 'Two.', 0)])).toEqual(
    expect.arrayContaining([204, 409]),
  )
  expect(await versionOf('returns')).toBe(1)
  expect(await saveText('returns', 'Three.', 1)).toBe(204)
  expect(await saveText('returns', 'Four.', 1)).toBe(409)
  expect(await saveText('joke', 'Five.', 0)).toBe(404)
})

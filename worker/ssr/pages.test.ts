import { createExecutionContext, env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../app'
import { publishExclusivePost } from '../community/exclusive-posts'
import type { ShowPage } from '../contract/check-in'
import { PAGES } from '../contract/pages'
import type { PollView } from '../contract/polls'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { limits } from '../limits'
import { pollVotes } from '../polls/polls.table'
import { ORIGIN, send } from '../testing/client'
import { addUser, db, loadFixtures } from '../testing/fixtures'
import { getPage } from '../testing/pages'
import { NOON } from '../testing/seed'
import { assetsOf } from './build-output'
import { isRendered, PAGE_DEFINITIONS } from './pages'

beforeAll(loadFixtures)

const rootHtml = (html: string) => /<div id="root">(.*)<\/div>\n<noscript>/s.exec(html)?.[1] ?? ''
const stateOf = (html: string) => /<script id="state" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1]
/** Keys and responses of the queries in the page's state. */
const queriesOf = (html: string) => JSON.parse(stateOf(html) ?? '[]') as [key: string[], response: unknown][]

test('renders the home page with its state', async () => {
  const html = await getPage('/')
  for (const text of ['Of Any City', 'A Song', 'Clip', 'Any Hall', '$19.99']) expect(rootHtml(html)).toContain(text)
  const state = queriesOf(html)
  expect(state.map(([key]) => key.join(' ')).sort()).toEqual(
    [
      'auth visitor-page',
      'challenge hall-of-fame',
      'challenge state',
      'concerts upcoming',
      'config',
      'polls active',
      'products physical',
      'tracks',
    ].sort(),
  )
})

test('shows no vote counts to visitors', async () => {
  const etag = async () => (await send('GET', '/api/polls/active', undefined, { at: NOON })).headers.get('etag')
  const before = { etag: await etag(), state: stateOf(await getPage('/')) }
  for (let voters = 0; voters < 7; voters++) {
    const { id } = await addUser()
    await db.insert(pollVotes).values({ pollId: '1', userId: id, optionId: 'b', castAt: NOON })
  }
  const state = JSON.parse(stateOf(await getPage('/')) ?? '[]') as [key: string[], response: PollView[]][]
  const [poll] = state.find(([key]) => key.join(' ') === 'polls active')?.[1] ?? []
  expect(poll?.options.map(({ id, voteCount }) => [id, voteCount])).toEqual([
    ['a', null],
    ['b', null],
  ])
  const previous = JSON.parse(before.state ?? '[]') as [key: string[], response: PollView[]][]
  expect(previous.find(([key]) => key.join(' ') === 'polls active')?.[1]).toEqual([poll])
  expect([before.etag, await etag()]).toEqual([expect.any(String), before.etag])
})

test('renders a show page with its state', async () => {
  const response = await send('GET', '/shows/show-1', undefined, { at: NOON })
  const html = await response.text()
  expect(response.status).toBe(200)
  for (const text of ['Any Hall', '1 Any Street, Tampa, FL 33602', 'Check-in opens on', 'Who is going', '$25'])
    expect(rootHtml(html)).toContain(text)
  const state = queriesOf(html)
  expect(state.map(([key]) => key.join(' ')).sort()).toEqual([
    'auth visitor-page',
    'concerts page show-1',
    'config',
    'hydration-time',
  ])
  const show = await (await send('GET', '/api/concerts/show-1', undefined, { at: NOON })).json<ShowPage>()
  // The page is rendered as of its last phase change, so an hour later it is the same.
  expect(state.find(([key]) => key[1] === 'page')?.[1]).toEqual({ ...show, now: new Date(0).toISOString() })
  const later = await send('GET', '/shows/show-1', undefined, { at: NOON + HOUR_MS })
  expect(later.headers.get('etag')).toBe(response.headers.get('etag'))
})

test('renders a challenge with its heading and styles', async () => {
  for (const path of ['/challenge', '/challenge/1']) {
    const html = await getPage(path)
    expect(rootHtml(html)).toMatch(/<h1[^>]*>[^<]+/)
    expect(rootHtml(html)).toContain('The prize')
    expect(html.match(/<style>/g)).toHaveLength(3)
  }
  expect((await send('GET', '/challenge/none', undefined, { at: NOON })).status).toBe(404)
})

test('renders upcoming and past shows', async () => {
  const html = await (await send('GET', '/shows', undefined, { at: NOON })).text()
  expect(rootHtml(html)).toContain('No past shows yet.')
  expect(rootHtml(html)).toMatch(/class="poster-row"[^>]*>.*Any Hall/s)
  const later = await (await send('GET', '/shows', undefined, { at: NOON + 3 * DAY_MS })).text()
  expect(rootHtml(later)).toContain('No dates yet')
  expect(rootHtml(later)).toMatch(/Played<\/h2>.*Any Hall/s)
})

test('renders a show page before, during and after the show', async () => {
  const renderedAt = async (at: number) => {
    const html = await (await send('GET', '/shows/show-1', undefined, { at })).text()
    const state = queriesOf(html)
    const text = ['Check-in opens on', 'Code at the door', 'Check-in for this show is over'].find((label) =>
      rootHtml(html).includes(label),
    )
    return [text, />(LIVE|PLAYED)</.exec(html)?.[1], state.find(([[key]]) => key === 'hydration-time')?.[1]]
  }
  const start = NOON + DAY_MS
  const [opensAt, endsAt, closesAt] = [
    start - limits.checkInOpensHoursBefore * HOUR_MS,
    start + 3 * HOUR_MS,
    start + (3 + limits.checkInClosesHoursAfter) * HOUR_MS,
  ]
  // Shows are labeled LIVE until they end, also before they begin.
  expect(await renderedAt(opensAt - 1)).toEqual(['Check-in opens on', 'LIVE', 0])
  expect(await renderedAt(opensAt)).toEqual(['Code at the door', 'LIVE', opensAt])
  expect(await renderedAt(endsAt)).toEqual(['Code at the door', 'PLAYED', endsAt])
  expect(await renderedAt(closesAt + DAY_MS)).toEqual(['Check-in for this show is over', 'PLAYED', closesAt])
})

test('preloads the product image', async () => {
  const html = await getPage('/merch/show-1')
  const preload = /<link rel="preload" as="image" href="([^"]+)" imagesrcset="([^"]+)" imagesizes="([^"]+)"/.exec(html)
  const image = /<img src="([^"]+)" srcSet="([^"]+)" sizes="([^"]+)"[^>]*class="[^"]*merch-image/.exec(html)
  expect(preload?.slice(1)).toEqual(image?.slice(1))
  for (const text of ['Clip', '$19.99', 'A clip.', 'Buy Now', 'Packed and shipped by the team.'])
    expect(rootHtml(html)).toContain(text)
})

test('preloads the AVIF image that a show page displays', async () => {
  const html = await getPage('/shows/show-1')
  const preload =
    /<link rel="preload" as="image" type="image\/avif" href="[^"]+" imagesrcset="([^"]+)" imagesizes="([^"]+)"/
  const picture =
    /<source type="image\/avif" srcSet="([^"]+)" sizes="([^"]+)"\/><img src="([^"]+)"[^>]*class="[^"]*next-show-art/
  const [, srcSet, sizes, fallback] = picture.exec(html) ?? []
  expect(preload.exec(html)?.slice(1)).toEqual([srcSet, sizes])
  expect(srcSet).toMatch(/^\/media\/any\/hall\.c532\.320\.avif 320w, /)
  expect(fallback).toBe('/media/any/hall.c532.640.webp')
  expect(html).toContain('style="background:#532"')
})

test('renders the community and the hub for visitors', async () => {
  const { id: actorId } = await addUser({ role: 'administrator' })
  await publishExclusivePost(db, { actorId, at: NOON, title: 'Liner notes', text: 'For gold.', tier: 'gold' })
  for (const [path, texts, keys] of [
    ['/community', ['What a night.', 'Log in to post'], ['community posts', 'leaderboard', 'polls active']],
    ['/hub', ['Start Exploring', 'Community Voting'], ['leaderboard', 'polls active', 'polls closed']],
    ['/hub/exclusive', ['Liner notes', 'Gold Tier Required'], ['community exclusive']],
    ['/hub/missions', ['Start Exploring', 'Supporter Missions'], ['missions']],
  ] as const) {
    const html = await getPage(path)
    for (const text of texts) expect(rootHtml(html)).toContain(text)
    expect(html).not.toContain('For gold.')
    const state = queriesOf(html)
    expect(state.map(([key]) => key.join(' ')).sort()).toEqual(['auth visitor-page', 'config', ...keys].sort())
  }
})

test('renders visitors’ content only without a session cookie', async () => {
  const rendered = async (cookie: string) => {
    const response = await send('GET', '/hub', undefined, { at: NOON, headers: { cookie } })
    const html = await response.text()
    const state = queriesOf(html)
    return {
      isVisitor: state.find(([key]) => key.join(' ') === 'auth visitor-page')?.[1],
      hidesInvitation: /class="hub-greeting invisible"/.test(html),
      vary: response.headers.get('vary'),
    }
  }
  const visitor = { isVisitor: true, hidesInvitation: false, vary: 'cookie' }
  const supporter = { isVisitor: undefined, hidesInvitation: true, vary: 'cookie' }
  const anySession = 'session=any; __Host-session=any'
  // The second pair is answered from the cache.
  for (const cookie of ['device=any', anySession, 'device=any', anySession])
    expect([cookie, await rendered(cookie)]).toEqual([cookie, cookie === anySession ? supporter : visitor])
})

test('answers 404 for other spellings of hub paths', async () => {
  for (const path of ['/Hub', '/hub/Missions', '/COMMUNITY', '/hub/none'])
    expect([path, (await send('GET', path)).status]).toEqual([path, 404])
})

test('reserves space for every image', async () => {
  let imageCount = 0
  for (const path of [
    '/',
    '/subscribe',
    '/privacy-policy',
    '/shows',
    '/shows/show-1',
    '/merch',
    '/merch/show-1',
    '/music',
    '/music/a-release',
    '/music/a-release/a-song',
    '/community',
    '/hub',
  ])
    for (const [image] of rootHtml(await getPage(path)).matchAll(/<img [^>]*>/g)) {
      imageCount += 1
      expect(image).toMatch(/ width="[1-9]\d*" height="[1-9]\d*"/)
      expect(image).toMatch(/ loading="lazy"| fetchPriority="high"/)
      if (!image.includes('src="/media/')) continue
      // Small images have one size on every screen.
      expect(image).toMatch(/ srcSet="[^"]+ \d+w" sizes="[^"]+"| src="[^"]+[@.]\d+(\.webp)?"/)
    }
  expect(imageCount).toBeGreaterThan(4)
})

test('inlines styles that the policy allows', async () => {
  for (const path of [
    '/',
    '/subscribe',
    '/privacy-policy',
    '/shows',
    '/shows/show-1',
    '/merch',
    '/merch/show-1',
    '/hub',
    '/login',
    '/signup',
  ]) {
    const response = await send('GET', path, undefined, { at: NOON })
    const html = await response.text()
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css]) => css ?? '')
    const hashes = await Promise.all(
      styles.map(async (css) => {
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(css))
        return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
      }),
    )
    const defaultPolicy = (await send('GET', '/checkout')).headers.get('content-security-policy')
    // Merch, login and policy pages inline one more style sheet; the hub inlines its own and the community's.
    const pageStyles = /^\/(merch|login|signup|privacy-policy)/.test(path) ? 1 : 0
    expect([path, styles.length]).toEqual([path, 1 + (path === '/hub' ? 2 : pageStyles)])
    expect(response.headers.get('content-security-policy')).toBe(
      defaultPolicy?.replace("style-src-elem 'self'", `style-src-elem 'self' ${hashes.join(' ')}`),
    )
    // No style sheet is fetched: without the media query, the preload scanner fetches disabled ones.
    expect(html).not.toMatch(/<link rel="stylesheet"(?![^>]* media="not all" disabled>)/)
    // The other scripts are data.
    expect(
      [...html.matchAll(/<script ([^>]*)>/g)]
        .map(([, attributes]) => attributes)
        .filter((attributes) => !/json"$/.test(attributes!)),
    ).toEqual([expect.stringMatching(/^type="module" src="\/assets\/main-[^"]+" fetchpriority="low"$/)])
    expect(html).toMatch(
      /<script id="state"[^>]*>[^<]*<\/script>\n<script type="module"[^>]*><\/script>\n(<link rel="modulepreload"[^>]*>)+\n<\/body>/,
    )
    const [, paintFrom] = /<link rel="expect" href="#([\w-]+)" blocking="render">/.exec(html) ?? []
    expect(html).toContain(`id="${paintFrom}"`)
    // Pages with an LCP image preload no fonts.
    const hasLcpImage = /^\/(shows|merch)\/|^\/$/.test(path)
    expect([path, html.includes('as="font"')]).toEqual([path, !hasLcpImage])
    expect(rootHtml(html).length).toBeGreaterThan(4000)
  }
})

test('serves the shell for pages that are not server-rendered', async () => {
  for (const path of ['/account', '/checkout', '/nowhere']) {
    const html = await getPage(path)
    expect([rootHtml(html), stateOf(html)]).toEqual(['', undefined])
    expect(html).toContain('<link rel="stylesheet"')
  }
})

test('preloads the scripts of every page in its HTML', async () => {
  for (const [path, { chunk }] of Object.entries(PAGE_DEFINITIONS)) {
    const modules = assetsOf(chunk).modules
    // Every route but the home page has a lazy chunk beside the modules of the entry.
    const routeModules = modules.filter((module) => !assetsOf(null).modules.includes(module))
    expect([path, routeModules.length > 0]).toEqual([path, path !== '/'])
    if (path.includes(':')) continue
    const html = await getPage(path)
    const preloaded = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, href]) => href)
    expect([path, preloaded]).toEqual([path, modules])
  }
})

test('server-rendered pages load no zod', () => {
  const zodChunks = (chunk: string | null) => assetsOf(chunk).modules.filter((module) => module.includes('/zod-'))
  expect(zodChunks(PAGE_DEFINITIONS['/admin'].chunk)).toHaveLength(1)
  for (const page of PAGES.filter(isRendered))
    expect([page, zodChunks(PAGE_DEFINITIONS[page].chunk)]).toEqual([page, []])
})

test('preselects the tier of the URL', async () => {
  const [plain, gold, vip, malformed] = await Promise.all(
    ['', '?tier=gold', '?tier=vip', '?tier=%3Cb%3E&utm=x'].map((search) => getPage(`/subscribe${search}`)),
  )
  expect(rootHtml(gold!)).not.toBe(rootHtml(plain!))
  expect(rootHtml(vip!)).toBe(rootHtml(gold!))
  expect(rootHtml(malformed!)).toBe(rootHtml(plain!))
})

test('escapes admin texts in pages and state', async () => {
  await env.DB.prepare('UPDATE site SET tagline = ?1').bind('</script><script>alert(1)</script>\u2028').run()
  const html = await getPage('/')
  expect(html).not.toContain('<script>alert')
  expect(stateOf(html)).toContain('\\u003c/script>')
  await env.DB.prepare("UPDATE site SET tagline = 'Of Any City'").run()
})

test('serves an uncached shell when rendering fails', async () => {
  let broken = true
  const app = createApp(
    () => NOON,
    async () => {
      if (broken) throw new Error('a component failed')
      return { html: '<main>Rendered</main>', state: {} }
    },
  )
  const request = () => app.fetch(new Request(`${ORIGIN}/`), env, createExecutionContext())
  const shell = await request()
  expect([shell.status, shell.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  const html = await shell.text()
  expect([rootHtml(html), stateOf(html), html.includes('<link rel="stylesheet"')]).toEqual(['', undefined, true])
  broken = false
  expect(rootHtml(await (await request()).text())).toBe('<main>Rendered</main>')
})

test('serves the shell when rendering a show fails', async () => {
  const app = createApp(
    () => NOON,
    async () => {
      throw new Error('a component failed')
    },
  )
  const request = (path: string) => app.fetch(new Request(`${ORIGIN}${path}`), env, createExecutionContext())
  const shell = await request('/shows/show-1')
  const html = await shell.text()
  expect([shell.status, rootHtml(html), stateOf(html)]).toEqual([200, '', undefined])
  expect(html).toContain('<title>Any Hall, Tampa, July 2, 2026 | Any Artist</title>')
  expect((await request('/shows/none')).status).toBe(404)
})

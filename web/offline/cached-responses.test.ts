import { expect, test } from 'vitest'
import { keyedByPath, PUBLIC_API, publicOnly } from './cached-responses'

const pageResponse = (cacheControl: string, changes: { status?: number; type?: string } = {}) =>
  new Response('<!doctype html>', {
    status: changes.status ?? 200,
    headers: { 'cache-control': cacheControl, 'content-type': changes.type ?? 'text/html; charset=UTF-8' },
  })

test('caches public pages only', async () => {
  const { cacheWillUpdate } = publicOnly(/^text\/html/)
  const isCached = async (response: Response) => (await cacheWillUpdate({ response })) !== null
  expect(await isCached(pageResponse('public, no-cache'))).toBe(true)
  for (const response of [
    pageResponse('private, no-store'),
    pageResponse(''),
    pageResponse('public, no-cache', { status: 404 }),
    pageResponse('public, no-cache', { type: 'application/atom+xml' }),
  ])
    expect(await isCached(response)).toBe(false)
})

test('caches a page under its path and tier', async () => {
  const keyOf = (path: string) => keyedByPath.cacheKeyWillBeUsed({ request: new Request(`https://fan.example${path}`) })
  expect(await keyOf('/?purchase=success&order=7#merch')).toBe('https://fan.example/')
  expect(await keyOf('/music/a-record/a-song?t=83')).toBe('https://fan.example/music/a-record/a-song')
  expect(await keyOf('/subscribe?tier=gold&ref=AB12')).toBe('https://fan.example/subscribe?tier=gold')
})

test('caches neither session-dependent API responses nor calendar files', () => {
  const paths = ['auth/status', 'tracks', 'polls/active', 'leaderboard', 'orders/7', 'concerts/7/event.ics']
  expect(paths.filter((path) => PUBLIC_API.test(`/api/${path}`))).toEqual([])
  expect(PUBLIC_API.test('/api/releases/a-record')).toBe(true)
})

import { expect, test, vi } from 'vitest'
import { pointsApi } from '../../worker/contract/points'
import { pollsApi } from '../../worker/contract/polls'
import { tracksApi } from '../../worker/contract/tracks'
import { mockFetch } from '../testing/render'
import { ApiError, call, callPage } from './call'

const refusal = (answer: () => Response) => {
  mockFetch({ 'GET /api/polls/active': answer })
  return call(pollsApi.active, {}).catch((error: ApiError) => error)
}

test('formats an error as status and body', async () => {
  const error = await refusal(
    () => new Response('That poll is closed.', { status: 410, headers: { 'x-error-code': 'closed' } }),
  )
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ message: '410: That poll is closed.', status: 410, code: 'closed' })
})

test('uses the status text of an empty body', async () => {
  const error = await refusal(() => new Response('', { status: 502, statusText: 'Bad Gateway' }))
  expect(error).toMatchObject({ message: '502: Bad Gateway', code: null })
})

test('sends cookies, a JSON body and path parameters', async () => {
  const fetched = vi.fn(async () => new Response(null, { status: 204 }))
  vi.stubGlobal('fetch', fetched)
  await call(tracksApi.play, { id: 'a/b', body: { service: 'spotify' } }, { keepalive: true })
  expect(fetched.mock.calls).toEqual([
    [
      '/api/tracks/a%2Fb/play',
      {
        method: 'POST',
        credentials: 'include',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: '{"service":"spotify"}',
      },
    ],
  ])
})

test('returns the next page’s address until the last', async () => {
  const first = Response.json([], { headers: { link: '</api/points/history?cursor=9.4>; rel="next"' } })
  const { sent } = mockFetch({
    'GET /api/points/history': () => first,
    'GET /api/points/history?cursor=9.4': () => Response.json([]),
  })
  const { next } = await callPage(pointsApi.history, {}, null)
  expect(await callPage(pointsApi.history, {}, next)).toEqual({ rows: [], next: null })
  expect(sent).toEqual(['GET /api/points/history', 'GET /api/points/history?cursor=9.4'])
})

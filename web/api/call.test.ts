import { expect, test, vi } from 'vitest'
import { pointsApi } from '../../worker/contract/points'
import { pollsApi } from '../../worker/contract/polls'
import { tracksApi } from '../../worker/contract/tracks'
import { errorResponse, mockFetch, noContent } from '../testing/render'
import { ApiError, call, callPage } from './call'

const callError = (respond: () => Response) => {
  mockFetch({ 'GET /api/polls/active': respond })
  return call(pollsApi.active, {}).catch((error: ApiError) => error)
}

test('formats an error as status and body', async () => {
  const error = await callError(() => errorResponse(410, 'closed', 'That poll is closed.'))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ message: '410: That poll is closed.', status: 410, code: 'closed' })
})

test('falls back to the status text for an empty body', async () => {
  const error = await callError(() => new Response('', { status: 502, statusText: 'Bad Gateway' }))
  expect(error).toMatchObject({ message: '502: Bad Gateway', code: null })
})

test('sends cookies, a JSON body and path parameters', async () => {
  const fetchMock = vi.fn(async () => noContent())
  vi.stubGlobal('fetch', fetchMock)
  await call(tracksApi.countClick, { id: 'a/b', body: { service: 'spotify' } }, { keepalive: true })
  expect(fetchMock.mock.calls).toEqual([
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

test('returns the next page’s query string until the last page', async () => {
  const firstPage = Response.json([], { headers: { link: '</api/points/history?cursor=9.4>; rel="next"' } })
  const { sent } = mockFetch({
    'GET /api/points/history': () => firstPage,
    'GET /api/points/history?cursor=9.4': () => Response.json([]),
  })
  const { next } = await callPage(pointsApi.history, {}, null)
  expect(await callPage(pointsApi.history, {}, next)).toEqual({ rows: [], next: null, previous: null })
  expect(sent).toEqual(['GET /api/points/history', 'GET /api/points/history?cursor=9.4'])
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { REPLACED_CLOSE_CODE, SESSION_ENDED_CLOSE_CODE } from '../../worker/contract/polls'
import { subscribeLiveCounts } from './live-counts'

class FakeSocket {
  static opened: FakeSocket[] = []
  sent: string[] = []
  closed = false
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: (event: { code: number }) => void
  readonly url: string
  constructor(url: URL) {
    this.url = String(url)
    FakeSocket.opened.push(this)
  }
  send = (text: string) => void this.sent.push(text)
  close = () => {
    this.closed = true
    this.onclose?.({ code: 1005 })
  }
}
const latestSocket = () => FakeSocket.opened.at(-1)!

beforeEach(() => {
  FakeSocket.opened = []
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
})
afterEach(() => void vi.useRealTimers())

function subscribe() {
  const handlers = { onCounts: vi.fn(), onConnection: vi.fn(), refetch: vi.fn() }
  return { handlers, stop: subscribeLiveCounts('poll 1', handlers) }
}
const counts = { endDate: '2026-12-01T12:00:00Z', options: [{ id: 'a', voteCount: 3 }] }

test('reports counts and keeps the connection alive', () => {
  const { handlers } = subscribe()
  expect(latestSocket().url).toMatch(/^ws.*\/api\/polls\/poll%201\/live$/)
  latestSocket().onopen?.()
  latestSocket().onmessage?.({ data: JSON.stringify(counts) })
  expect(handlers.onCounts.mock.calls).toEqual([[counts]])
  for (let pings = 1; pings <= 3; pings++) {
    vi.advanceTimersByTime(25_000)
    expect(latestSocket().sent).toHaveLength(pings)
    latestSocket().onmessage?.({ data: 'pong' })
  }
  expect([handlers.onCounts.mock.calls, handlers.onConnection.mock.calls]).toEqual([[[counts]], [[true]]])
  expect([FakeSocket.opened.length, latestSocket().sent[0]]).toEqual([1, 'ping'])
  expect(handlers.refetch).not.toHaveBeenCalled()
})

test('refetches while disconnected and backs off', () => {
  const { handlers } = subscribe()
  latestSocket().onclose?.({ code: 1006 })
  expect([handlers.refetch.mock.calls.length, handlers.onConnection.mock.lastCall]).toEqual([1, [false]])
  for (let second = 0; second < 600; second++) {
    const openedCount = FakeSocket.opened.length
    vi.advanceTimersByTime(1000)
    if (FakeSocket.opened.length > openedCount) latestSocket().onclose?.({ code: 1006 })
  }
  expect(FakeSocket.opened.length).toBeLessThan(15)
  expect(handlers.refetch.mock.calls.length).toBeGreaterThan(40)
})

test('stops refetching when connected', () => {
  const { handlers } = subscribe()
  latestSocket().onclose?.({ code: 1006 })
  vi.advanceTimersByTime(3_000)
  latestSocket().onopen?.()
  handlers.refetch.mockClear()
  vi.advanceTimersByTime(25_000)
  latestSocket().onmessage?.({ data: 'pong' })
  vi.advanceTimersByTime(24_000)
  expect(handlers.refetch).not.toHaveBeenCalled()
  expect(handlers.onConnection.mock.lastCall).toEqual([true])
})

test('reconnects after an unanswered ping', () => {
  const { handlers } = subscribe()
  const firstSocket = latestSocket()
  firstSocket.onopen?.()
  vi.advanceTimersByTime(50_000)
  expect([firstSocket.sent, firstSocket.closed, handlers.refetch.mock.calls.length]).toEqual([['ping'], true, 1])
  expect(handlers.onConnection.mock.lastCall).toEqual([false])
  vi.advanceTimersByTime(3_000)
  expect(FakeSocket.opened).toHaveLength(2)
  latestSocket().onopen?.()
  // A late close of the replaced socket is ignored.
  firstSocket.onclose?.({ code: 1006 })
  expect(handlers.onConnection.mock.lastCall).toEqual([true])
})

test('refetches during the first connection attempt', () => {
  const { handlers } = subscribe()
  vi.advanceTimersByTime(30_000)
  expect([handlers.refetch.mock.calls.length, FakeSocket.opened.length]).toEqual([3, 1])
  latestSocket().onopen?.()
  vi.advanceTimersByTime(20_000)
  expect(handlers.refetch.mock.calls.length).toBe(3)
})

test('refetches instead of reconnecting once newer tabs replaced the connection', () => {
  const { handlers } = subscribe()
  latestSocket().onopen?.()
  latestSocket().onclose?.({ code: REPLACED_CLOSE_CODE })
  vi.advanceTimersByTime(600_000)
  // One refetch at once, then one every 10 seconds.
  expect([FakeSocket.opened.length, handlers.onConnection.mock.lastCall, handlers.refetch.mock.calls.length]).toEqual([
    1,
    [false],
    61,
  ])
})

test('neither reconnects nor refetches after the session ended', () => {
  const { handlers } = subscribe()
  latestSocket().onopen?.()
  latestSocket().onclose?.({ code: SESSION_ENDED_CLOSE_CODE })
  vi.advanceTimersByTime(600_000)
  expect([FakeSocket.opened.length, handlers.onConnection.mock.lastCall]).toEqual([1, [false]])
  expect(handlers.refetch).not.toHaveBeenCalled()
})

test('closes the socket and stops refetching on unsubscribe', () => {
  const { handlers, stop } = subscribe()
  latestSocket().onopen?.()
  stop()
  expect(latestSocket().closed).toBe(true)
  vi.advanceTimersByTime(600_000)
  expect([FakeSocket.opened.length, handlers.refetch.mock.calls.length]).toEqual([1, 0])
})

import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aShowPage } from '../testing/a-show-page'
import { aSite } from '../testing/a-site'
import { openApp } from '../testing/render'
import { codeAt } from './door-code'

// RFC 4226, appendix D: the secret is '12345678901234567890'.
const SECRET = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA'
const CODES = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']

afterEach(() => vi.useRealTimers())

test('the page makes the codes of RFC 4226', async () => {
  expect(await Promise.all(CODES.map((_, step) => codeAt(SECRET, step)))).toEqual(CODES)
})

test('the door turns its code by the server’s clock, and goes on when the network is gone', async () => {
  // The phone's clock is an hour ahead.
  vi.useFakeTimers({ now: 3_600_000, toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  let isDown = false
  const down = (answer: unknown) => () => {
    if (isDown) throw new TypeError('Failed to fetch')
    return Response.json(answer)
  }
  await openApp('/admin/shows/quay/door', {
    'GET /api/config': aSite(),
    'GET /api/auth/status': null,
    'GET /api/admin/session': { username: 'desk', expiresAt: new Date(90_000_000).toISOString(), secondsLeft: 90_000 },
    'GET /api/concerts/quay': aShowPage(),
    'GET /api/admin/concerts/quay/check-in-code': down({
      code: CODES[0],
      expiresAt: new Date(30_000).toISOString(),
      secret: SECRET,
      stepSeconds: 30,
      now: new Date(0).toISOString(),
      opensAt: new Date(0).toISOString(),
      closesAt: new Date(90_000_000).toISOString(),
    }),
    'GET /api/admin/concerts/quay/arrivals': down({ arrived: 37, going: 120 }),
  })
  // Codes are made by the platform, which knows nothing of this clock: a second look finds them made.
  const pass = async (seconds: number) => {
    await act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
    await act(() => codeAt(SECRET, 0))
    await act(() => vi.advanceTimersByTimeAsync(250))
  }
  await pass(1)
  const shown = () => screen.getByTestId('door-code').textContent?.replace(/\D/g, '')
  expect([shown(), screen.getByText('37').tagName]).toEqual([CODES[0], 'DD'])
  await pass(30)
  expect(shown()).toBe(CODES[1])
  isDown = true
  await pass(120)
  expect(shown()).toBe(CODES[5])
  expect(screen.getByText(/No network\. The codes go on by themselves/)).toBeTruthy()
  expect(screen.getByText('37')).toBeTruthy()
  expect(screen.getByRole('img', { name: 'QR code of the door' }).querySelector('path')).toBeTruthy()
})

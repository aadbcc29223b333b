import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { buildAdminSession } from '../testing/admin-session.fixture'
import { errorResponse, type MockResponses, renderApp } from '../testing/render'
import { buildShowPage } from '../testing/show-page.fixture'
import { buildSite } from '../testing/site.fixture'
import { checkInCodeAt } from './check-in-code'
import { QrCode } from './DoorPage'

// RFC 4226, appendix D: the secret is '12345678901234567890'.
const SECRET = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA'
const CODES = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']

afterEach(() => {
  vi.useRealTimers()
  window.dispatchEvent(new Event('online'))
})

test('computes the codes of RFC 4226', async () => {
  expect(await Promise.all(CODES.map((_, step) => checkInCodeAt(SECRET, step)))).toEqual(CODES)
})

const GET_CODE = 'GET /api/admin/concerts/quay/check-in-code'
const GET_COUNT = 'GET /api/admin/concerts/quay/arrivals'
const HOUR_MS = 3_600_000
const isoTimestamp = (seconds: number) => new Date(seconds * 1000).toISOString()
const buildDoor = (changes = {}) => ({
  code: CODES[0],
  expiresAt: isoTimestamp(30),
  secret: SECRET,
  stepSeconds: 30,
  now: isoTimestamp(0),
  opensAt: isoTimestamp(0),
  closesAt: isoTimestamp(90_000),
  ...changes,
})

/**
 * Opens the door page on a device one hour ahead of the server, whose clock starts at the epoch. Returns the responses,
 * which tests replace.
 */
async function openDoor(changes: MockResponses = {}) {
  vi.useFakeTimers({ now: HOUR_MS, toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const responses: MockResponses = {
    'GET /api/config': buildSite(),
    'GET /api/auth/status': null,
    'GET /api/admin/session': buildAdminSession({ secondsLeft: 90_000 }),
    'GET /api/concerts/quay': buildShowPage(),
    [GET_CODE]: buildDoor(),
    [GET_COUNT]: { arrived: 37, going: 120 },
    ...changes,
  }
  await renderApp('/admin/shows/quay/door', responses)
  // Lazy imports take real time, regardless of the fake clock.
  await vi.waitFor(() => screen.getByTestId('door-code'), { timeout: 10_000 })
  return responses
}
/** Advances the fake timers. WebCrypto ignores them, so this also awaits a code. */
async function advanceSeconds(seconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
  await act(() => checkInCodeAt(SECRET, 0))
  await act(() => vi.advanceTimersByTimeAsync(250))
}
const displayedCode = () => screen.getByTestId('door-code').textContent?.replace(/\D/g, '')
const displayedQr = () => screen.getByRole('img', { name: 'QR code of the door' }).innerHTML
const qrOf = (text: string) => {
  const { container, unmount } = render(<QrCode text={text} label="expected" />)
  const path = container.querySelector('svg')?.innerHTML
  unmount()
  return path
}
async function renewSecret() {
  fireEvent.click(screen.getByRole('button', { name: 'Create a new secret' }))
  await advanceSeconds(1)
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Create a new secret' }))
  await advanceSeconds(1)
}
const failNetwork = () => {
  throw new TypeError('Failed to fetch')
}

test('shows a new code by the server’s clock, also offline', async () => {
  const responses = await openDoor()
  await advanceSeconds(1)
  expect([displayedCode(), screen.getByText('37').tagName]).toEqual([CODES[0], 'DD'])
  await advanceSeconds(30)
  expect(displayedCode()).toBe(CODES[1])
  expect(displayedQr()).toBe(qrOf(`${window.location.origin}/shows/quay#code=${CODES[1]}`))
  for (const endpoint of [GET_CODE, GET_COUNT]) responses[endpoint] = failNetwork
  await advanceSeconds(120)
  expect(displayedCode()).toBe(CODES[5])
  expect(displayedQr()).toBe(qrOf(`${window.location.origin}/shows/quay#code=${CODES[5]}`))
  expect(screen.getByText(/No network\. Codes continue to change and work/)).toBeTruthy()
  expect(screen.getByText('37')).toBeTruthy()
})

const serverError = () => errorResponse(500, 'failed', 'Something went wrong.')
const warningText = () => screen.queryByText(/Codes continue to change and work/)?.textContent

test.each([
  ['no network', failNetwork, /^No network\. /],
  ['a failing server', serverError, /^The site did not respond as expected\. /],
])('with %s, warns which parts are out of date', async (_, failure, cause) => {
  const responses = await openDoor()
  await advanceSeconds(1)
  expect(warningText()).toBeUndefined()
  responses[GET_CODE] = failure
  await advanceSeconds(60)
  const staleCode =
    /^[^;]*change and work\. A secret that another device set for this door after [^;]+ is not known here\.$/
  expect(warningText()).toMatch(cause)
  expect(warningText()).toMatch(staleCode)
  responses[GET_CODE] = () => Response.json(buildDoor({ now: isoTimestamp(122) }))
  responses[GET_COUNT] = failure
  await advanceSeconds(60)
  const staleCount = /change and work; the count is from [^;.]+\.$/
  expect(warningText()).toMatch(cause)
  expect(warningText()).toMatch(staleCount)
})

test('shows opening times in no other zone than the venue’s', async () => {
  const opensAt = isoTimestamp(60)
  await openDoor({ [GET_CODE]: buildDoor({ opensAt }), 'GET /api/concerts/quay': failNetwork })
  await advanceSeconds(1)
  expect(screen.getByText('Check-in opens later. Codes are accepted from then on.')).toBeTruthy()
})

test.each([
  ['cannot', () => Promise.reject(new Error('No.')), true],
  ['can', async () => ({ release: async () => undefined }), false],
])('a browser that %s stay awake: no warning too early', async (_, request, isWarning) => {
  const warning = () => screen.queryByText(/can’t keep the screen on/)
  const requested = Promise.withResolvers<void>()
  const wakeLock = { request: () => requested.promise.then(request) }
  Object.defineProperty(navigator, 'wakeLock', { value: wakeLock, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'wakeLock'))
  await openDoor()
  await advanceSeconds(1)
  expect(warning()).toBeNull()
  requested.resolve()
  await advanceSeconds(1)
  expect(warning() !== null).toBe(isWarning)
})

test('check-in opens and closes by the server’s clock, also offline', async () => {
  const door = buildDoor({ opensAt: isoTimestamp(60), closesAt: isoTimestamp(120) })
  const responses = await openDoor({ [GET_CODE]: door })
  await advanceSeconds(1)
  expect(screen.getByText(/Check-in opens on/)).toBeTruthy()
  responses[GET_CODE] = failNetwork
  await advanceSeconds(60)
  expect(screen.queryByText(/Check-in opens on|Check-in for this show is over/)).toBeNull()
  await advanceSeconds(60)
  expect(screen.getByText('Check-in for this show is over. These codes no longer work.')).toBeTruthy()
})

test('shows no count before the first response', async () => {
  const countResponse = Promise.withResolvers<Response>()
  await openDoor({ [GET_COUNT]: () => countResponse.promise })
  await advanceSeconds(1)
  const counts = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(counts()).toEqual(['Counting', ''])
  countResponse.resolve(Response.json({ arrived: 0, going: 0 }))
  await advanceSeconds(1)
  expect(counts()).toEqual(['0', '0'])
})

test('uses the new secret although an older fetch ends later', async () => {
  const olderFetch = Promise.withResolvers<Response>()
  const renewedDoor = buildDoor({ secret: 'MDk4NzY1NDMyMTA5ODc2NTQzMjE', code: '111111' })
  const responses = await openDoor({ 'POST /api/admin/concerts/quay/check-in-code/renew': renewedDoor })
  await advanceSeconds(1)
  expect(displayedCode()).toBe(CODES[0])
  responses[GET_CODE] = () => olderFetch.promise
  await advanceSeconds(60)
  await renewSecret()
  const renewedCode = displayedCode()
  expect(renewedCode).toBe(await checkInCodeAt(renewedDoor.secret, 0))
  olderFetch.resolve(Response.json(buildDoor({ now: isoTimestamp(63) })))
  await advanceSeconds(1)
  expect(displayedCode()).toBe(renewedCode)
})

test('renewing the secret offline fails and is not queued', async () => {
  const responses = await openDoor()
  window.dispatchEvent(new Event('offline'))
  responses['POST /api/admin/concerts/quay/check-in-code/renew'] = failNetwork
  await advanceSeconds(1)
  await renewSecret()
  expect(screen.getByText('Not changed')).toBeTruthy()
  expect(displayedCode()).toBe(CODES[0])
})

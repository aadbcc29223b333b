import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { type MockResponses, renderApp } from '../testing/render'
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

const CODE = 'GET /api/admin/concerts/quay/check-in-code'
const COUNT = 'GET /api/admin/concerts/quay/arrivals'
const HOUR_MS = 3_600_000
const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const buildDoor = (changes = {}) => ({
  code: CODES[0],
  expiresAt: at(30),
  secret: SECRET,
  stepSeconds: 30,
  now: at(0),
  opensAt: at(0),
  closesAt: at(90_000),
  ...changes,
})

/** The device's clock is an hour ahead of the server's, which is at the epoch. */
async function openDoor(more: MockResponses = {}) {
  vi.useFakeTimers({ now: HOUR_MS, toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const responses: MockResponses = {
    'GET /api/config': buildSite(),
    'GET /api/auth/status': null,
    'GET /api/admin/session': { username: 'desk', expiresAt: at(90_000), secondsLeft: 90_000, teamRole: 'owner' },
    'GET /api/concerts/quay': buildShowPage(),
    [CODE]: buildDoor(),
    [COUNT]: { arrived: 37, going: 120 },
    ...more,
  }
  await renderApp('/admin/shows/quay/door', responses)
  return responses
}
// WebCrypto ignores fake timers: await a code before reading the screen.
async function advance(seconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
  await act(() => checkInCodeAt(SECRET, 0))
  await act(() => vi.advanceTimersByTimeAsync(250))
}
const shownCode = () => screen.getByTestId('door-code').textContent?.replace(/\D/g, '')
const shownQr = () => screen.getByRole('img', { name: 'QR code of the door' }).innerHTML
const qrOf = (text: string) => {
  const { container, unmount } = render(<QrCode text={text} label="expected" />)
  const path = container.querySelector('svg')?.innerHTML
  unmount()
  return path
}
async function renewSecret() {
  fireEvent.click(screen.getByRole('button', { name: 'New secret' }))
  await advance(1)
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'New secret' }))
  await advance(1)
}
const down = () => {
  throw new TypeError('Failed to fetch')
}

test('renews the code by the server’s clock, also offline', async () => {
  const responses = await openDoor()
  await advance(1)
  expect([shownCode(), screen.getByText('37').tagName]).toEqual([CODES[0], 'DD'])
  await advance(30)
  expect(shownCode()).toBe(CODES[1])
  expect(shownQr()).toBe(qrOf(`${window.location.origin}/shows/quay#code=${CODES[1]}`))
  for (const endpoint of [CODE, COUNT]) responses[endpoint] = down
  await advance(120)
  expect(shownCode()).toBe(CODES[5])
  expect(shownQr()).toBe(qrOf(`${window.location.origin}/shows/quay#code=${CODES[5]}`))
  expect(screen.getByText(/No network\. The codes go on by themselves/)).toBeTruthy()
  expect(screen.getByText('37')).toBeTruthy()
})

const failing = () => new Response('Something went wrong.', { status: 500, headers: { 'x-error-code': 'failed' } })
const warning = () => screen.queryByText(/The codes go on by themselves/)?.textContent

test.each([
  ['no network', down, /^No network\. /],
  ['a site that fails', failing, /^The site did not answer as it should\. /],
])('with %s, says what is out of date', async (_, failure, cause) => {
  const responses = await openDoor()
  await advance(1)
  expect(warning()).toBeUndefined()
  responses[CODE] = failure
  await advance(60)
  const staleCode =
    /^[^;]*by themselves\. A new secret that another phone gave this door after [^;]+ is not known here\.$/
  expect(warning()).toMatch(cause)
  expect(warning()).toMatch(staleCode)
  responses[CODE] = () => Response.json(buildDoor({ now: at(122) }))
  responses[COUNT] = failure
  await advance(60)
  const staleCount = /by themselves; the count is of [^;.]+\.$/
  expect(warning()).toMatch(cause)
  expect(warning()).toMatch(staleCount)
})

test('opens and closes by the server’s clock, also offline', async () => {
  const door = buildDoor({ opensAt: at(60), closesAt: at(120) })
  const responses = await openDoor({ [CODE]: door })
  await advance(1)
  expect(screen.getByText(/Check-in opens on/)).toBeTruthy()
  responses[CODE] = down
  await advance(60)
  expect(screen.queryByText(/Check-in opens on|Check-in for this show is over/)).toBeNull()
  await advance(60)
  expect(screen.getByText('Check-in for this show is over: these codes let nobody in.')).toBeTruthy()
})

test('shows no count before the first response', async () => {
  const counted = Promise.withResolvers<Response>()
  await openDoor({ [COUNT]: () => counted.promise })
  await advance(1)
  const counts = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(counts()).toEqual(['Counting', ''])
  counted.resolve(Response.json({ arrived: 0, going: 0 }))
  await advance(1)
  expect(counts()).toEqual(['0', '0'])
})

test('shows the new secret when an older fetch arrives', async () => {
  const late = Promise.withResolvers<Response>()
  const fresh = buildDoor({ secret: 'MDk4NzY1NDMyMTA5ODc2NTQzMjE', code: '111111' })
  const responses = await openDoor({ 'POST /api/admin/concerts/quay/check-in-code/renew': fresh })
  await advance(1)
  expect(shownCode()).toBe(CODES[0])
  responses[CODE] = () => late.promise
  await advance(60)
  await renewSecret()
  const renewed = shownCode()
  expect(renewed).toBe(await checkInCodeAt(fresh.secret, 0))
  late.resolve(Response.json(buildDoor({ now: at(63) })))
  await advance(1)
  expect(shownCode()).toBe(renewed)
})

test('fails to renew the secret offline without queueing', async () => {
  const responses = await openDoor()
  window.dispatchEvent(new Event('offline'))
  responses['POST /api/admin/concerts/quay/check-in-code/renew'] = down
  await advance(1)
  await renewSecret()
  expect(screen.getByText('Not changed')).toBeTruthy()
  expect(shownCode()).toBe(CODES[0])
})

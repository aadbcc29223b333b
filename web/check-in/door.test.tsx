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

const AN_HOUR = 3_600_000
const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const aDoor = (changes = {}) => ({
  code: CODES[0],
  expiresAt: at(30),
  secret: SECRET,
  stepSeconds: 30,
  now: at(0),
  opensAt: at(0),
  closesAt: at(90_000),
  ...changes,
})

/** Opens the door's page on a phone whose clock is an hour ahead of the server's, which stands at zero. */
async function openDoor(more: MockResponses = {}) {
  vi.useFakeTimers({ now: AN_HOUR, toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const farSide: MockResponses = {
    'GET /api/config': buildSite(),
    'GET /api/auth/status': null,
    'GET /api/admin/session': { username: 'desk', expiresAt: at(90_000), secondsLeft: 90_000 },
    'GET /api/concerts/quay': buildShowPage(),
    'GET /api/admin/concerts/quay/check-in-code': aDoor(),
    'GET /api/admin/concerts/quay/arrivals': { arrived: 37, going: 120 },
    ...more,
  }
  await renderApp('/admin/shows/quay/door', farSide)
  return farSide
}
// Codes are made by the platform, which knows nothing of this clock: a second look finds them made.
async function pass(seconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
  await act(() => checkInCodeAt(SECRET, 0))
  await act(() => vi.advanceTimersByTimeAsync(250))
}
const shown = () => screen.getByTestId('door-code').textContent?.replace(/\D/g, '')
const drawn = () => screen.getByRole('img', { name: 'QR code of the door' }).innerHTML
/** The QR code of a text, drawn by itself. */
const qrOf = (text: string) => {
  const { container, unmount } = render(<QrCode text={text} label="by itself" />)
  const path = container.querySelector('svg')?.innerHTML
  unmount()
  return path
}
const down = () => {
  throw new TypeError('Failed to fetch')
}

test('renews the code by the server’s clock, also offline', async () => {
  const farSide = await openDoor()
  await pass(1)
  expect([shown(), screen.getByText('37').tagName]).toEqual([CODES[0], 'DD'])
  await pass(30)
  expect(shown()).toBe(CODES[1])
  expect(drawn()).toBe(qrOf(`${window.location.origin}/shows/quay#code=${CODES[1]}`))
  for (const path of ['check-in-code', 'arrivals']) farSide[`GET /api/admin/concerts/quay/${path}`] = down
  await pass(120)
  expect(shown()).toBe(CODES[5])
  expect(drawn()).toBe(qrOf(`${window.location.origin}/shows/quay#code=${CODES[5]}`))
  expect(screen.getByText(/No network\. The codes go on by themselves/)).toBeTruthy()
  expect(screen.getByText('37')).toBeTruthy()
})

const failing = () => new Response('Something went wrong.', { status: 500, headers: { 'x-error-code': 'failed' } })
const troubles = () => screen.queryByText(/The codes go on by themselves/)?.textContent

test.each([
  ['no network', down, /^No network\. /],
  ['a site that fails', failing, /^The site did not answer as it should\. /],
])('the door tells %s, and what it does not know for it', async (_, trouble, cause) => {
  const farSide = await openDoor()
  await pass(1)
  expect(troubles()).toBeUndefined()
  // The code alone: who is in is counted still.
  farSide['GET /api/admin/concerts/quay/check-in-code'] = trouble
  await pass(60)
  const known = /^[^;]*by themselves\. A new secret that another phone gave this door after [^;]+ is not known here\.$/
  expect([troubles(), troubles()]).toEqual([expect.stringMatching(cause), expect.stringMatching(known)])
  farSide['GET /api/admin/concerts/quay/check-in-code'] = () => Response.json(aDoor({ now: at(122) }))
  farSide['GET /api/admin/concerts/quay/arrivals'] = trouble
  await pass(60)
  const counted = /by themselves; the count is of [^;.]+\.$/
  expect([troubles(), troubles()]).toEqual([expect.stringMatching(cause), expect.stringMatching(counted)])
})

test('opens and closes by the server’s clock, also offline', async () => {
  const door = aDoor({ opensAt: at(60), closesAt: at(120) })
  const farSide = await openDoor({ 'GET /api/admin/concerts/quay/check-in-code': door })
  await pass(1)
  expect(screen.getByText(/Check-in opens on/)).toBeTruthy()
  farSide['GET /api/admin/concerts/quay/check-in-code'] = down
  await pass(60)
  expect(screen.queryByText(/Check-in opens on|Check-in for this show is over/)).toBeNull()
  await pass(60)
  expect(screen.getByText('Check-in for this show is over: these codes let nobody in.')).toBeTruthy()
})

test('shows no count before the first response', async () => {
  const counted = Promise.withResolvers<Response>()
  await openDoor({ 'GET /api/admin/concerts/quay/arrivals': () => counted.promise })
  await pass(1)
  const beforehand = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(beforehand).toEqual(['Counting', ''])
  counted.resolve(Response.json({ arrived: 0, going: 0 }))
  await pass(1)
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['0', '0'])
})

test('keeps the new secret when an older fetch arrives', async () => {
  const late = Promise.withResolvers<Response>()
  const fresh = aDoor({ secret: 'MDk4NzY1NDMyMTA5ODc2NTQzMjE', code: '111111' })
  const farSide = await openDoor({ 'POST /api/admin/concerts/quay/check-in-code/renew': fresh })
  await pass(1)
  expect(shown()).toBe(CODES[0])
  farSide['GET /api/admin/concerts/quay/check-in-code'] = () => late.promise
  await pass(60)
  fireEvent.click(screen.getByRole('button', { name: 'New secret' }))
  await pass(1)
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'New secret' }))
  await pass(1)
  const renewed = shown()
  expect(renewed).toBe(await checkInCodeAt(fresh.secret, 0))
  late.resolve(Response.json(aDoor({ now: at(63) })))
  await pass(1)
  expect(shown()).toBe(renewed)
})

test('fails to renew the secret offline without queueing', async () => {
  const farSide = await openDoor()
  window.dispatchEvent(new Event('offline'))
  farSide['POST /api/admin/concerts/quay/check-in-code/renew'] = down
  await pass(1)
  fireEvent.click(screen.getByRole('button', { name: 'New secret' }))
  await pass(1)
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'New secret' }))
  await pass(1)
  expect(screen.getByText('Not changed')).toBeTruthy()
  expect(shown()).toBe(CODES[0])
})

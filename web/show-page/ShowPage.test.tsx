import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { VISITOR_DATA_UPDATED_AT } from '../auth/auth.queries'
import { newQueryClient } from '../query-client'
import { hoursFromNow } from '../testing/hours-from-now'
import { errorResponse, type MockResponses, renderApp } from '../testing/render'
import { buildShowPage } from '../testing/show-page.fixture'
import { buildSite } from '../testing/site.fixture'
import { buildSupporter } from '../testing/supporter.fixture'

const checkInAward = { pointsAwarded: 250, totalPoints: 257, missions: [{ id: 'd', title: 'Be there', points: 7 }] }
const savedScan = { arrivalToken: 'stored.token', expiresAt: new Date(Date.now() + 1_800_000).toISOString() }
const visitorResponses = (changes: MockResponses = {}): MockResponses => ({
  'GET /api/config': buildSite(),
  'GET /api/auth/status': null,
  'GET /api/concerts/quay': buildShowPage(),
  'GET /api/missions': [],
  'GET /api/leaderboard': { entries: [], me: null },
  ...changes,
})
const supporterResponses = (changes: MockResponses = {}) =>
  visitorResponses({ 'GET /api/auth/status': buildSupporter(), ...changes })
/** Accepts a check-in and includes it in later responses of the page. */
const checkInResponses = (): MockResponses => {
  let doneAt: string | null = null
  return supporterResponses({
    'GET /api/concerts/quay': () => {
      const page = buildShowPage()
      return Response.json({ ...page, checkIn: { ...page.checkIn, doneAt } })
    },
    'POST /api/concerts/quay/check-in': () => {
      doneAt = new Date().toISOString()
      return Response.json(checkInAward)
    },
  })
}
const storeScan = () => sessionStorage.setItem('arrival:quay', JSON.stringify(savedScan))
const submitCode = async (code: string) => {
  fireEvent.change(await screen.findByLabelText('Code at the door'), { target: { value: code } })
  fireEvent.click(screen.getByRole('button', { name: 'Check in' }))
}

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.useRealTimers())

test('a typed code checks in and shows points and missions', async () => {
  const { sent } = await renderApp('/shows/quay', checkInResponses())
  await submitCode('123 456')
  expect(await screen.findByText('You are in')).toBeTruthy()
  expect(screen.getByText('+250 points.')).toBeTruthy()
  expect(screen.getByText('Mission completed: Be there, +7 points.')).toBeTruthy()
  expect(sent).toContain('POST /api/concerts/quay/check-in {"code":"123456"}')
})

test('shows the check-in although an older fetch ends later', async () => {
  const responses = checkInResponses()
  const { queryClient } = await renderApp('/shows/quay', responses)
  await screen.findByLabelText('Code at the door')
  const currentPage = responses['GET /api/concerts/quay']
  const olderFetch = Promise.withResolvers<Response>()
  responses['GET /api/concerts/quay'] = () => olderFetch.promise
  void queryClient.invalidateQueries({ queryKey: ['concerts', 'page', 'quay'] })
  responses['GET /api/concerts/quay'] = currentPage
  await submitCode('123456')
  expect(await screen.findByText('You are in')).toBeTruthy()
  olderFetch.resolve(Response.json(buildShowPage()))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.getByText('You are in')).toBeTruthy()
})

test('redeems a scanned code and clears the URL’s hash', async () => {
  const { sent } = await renderApp('/shows/quay#code=654321', checkInResponses())
  expect(await screen.findByText('You are in')).toBeTruthy()
  expect(sent.filter((request) => request.includes('check-in'))).toEqual([
    'POST /api/concerts/quay/check-in {"code":"654321"}',
  ])
  expect(window.location.hash).toBe('')
})

test('shows a wrong code’s error at the field', async () => {
  const wrongCode = () => errorResponse(400, 'bad_input', 'That code is not right any more.')
  await renderApp('/shows/quay', supporterResponses({ 'POST /api/concerts/quay/check-in': wrongCode }))
  await submitCode('12')
  expect(await screen.findByText('Please enter the six digits shown at the door.')).toBeTruthy()
  await submitCode('111111')
  expect(await screen.findByText('That code is not right any more.')).toBeTruthy()
  const field = screen.getByLabelText('Code at the door') as HTMLInputElement
  expect(field.value).toBe('111111')
  // Focus on the field announces its error.
  await waitFor(() => expect(document.activeElement).toBe(field))
})

test('saves a visitor’s scan and redeems it after sign-up', async () => {
  const { sent } = await renderApp(
    '/shows/quay#code=654321',
    visitorResponses({ 'POST /api/concerts/quay/arrivals': savedScan }),
  )
  expect(await screen.findByText('You are here')).toBeTruthy()
  expect(sent).toContain('POST /api/concerts/quay/arrivals {"code":"654321"}')
  expect(screen.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe('/signup?return=%2Fshows%2Fquay')
  cleanup()
  const secondVisit = await renderApp('/shows/quay', checkInResponses())
  expect(await screen.findByText('You are in')).toBeTruthy()
  expect(secondVisit.sent).toContain('POST /api/concerts/quay/check-in {"arrivalToken":"stored.token"}')
  expect(sessionStorage.length).toBe(0)
})

test('redeems a saved scan after the email is confirmed', async () => {
  const responses = {
    ...checkInResponses(),
    'GET /api/auth/status': buildSupporter({ emailVerified: false }),
    'POST /api/concerts/quay/arrivals': savedScan,
  }
  const { sent, queryClient } = await renderApp('/shows/quay#code=654321', responses)
  expect(await screen.findByText(/Your scan is saved\. Confirm your email/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send a new link' })).toBeTruthy()
  expect(sent.filter((request) => request.includes('check-in'))).toEqual([])
  act(() => void queryClient.setQueryData(['auth', 'status'], buildSupporter()))
  expect(await screen.findByText('You are in')).toBeTruthy()
  expect(sent).toContain('POST /api/concerts/quay/check-in {"arrivalToken":"stored.token"}')
})

test('drops an expired scan and shows why', async () => {
  storeScan()
  const expiredScan = () => errorResponse(400, 'bad_token', 'That scan cannot be used any more.')
  await renderApp('/shows/quay', supporterResponses({ 'POST /api/concerts/quay/check-in': expiredScan }))
  expect(await screen.findByText('That scan cannot be used any more.')).toBeTruthy()
  expect(sessionStorage.length).toBe(0)
})

const REDEEM_REQUEST = 'POST /api/concerts/quay/check-in {"arrivalToken":"stored.token"}'
/** The page of a show whose check-in is over. */
const endedPage = () => buildShowPage({ now: hoursFromNow(4) })

test('redeems a saved scan after check-in closed', async () => {
  storeScan()
  const response = Promise.withResolvers<Response>()
  const responses = supporterResponses({
    'GET /api/concerts/quay': endedPage(),
    'POST /api/concerts/quay/check-in': () => response.promise,
  })
  await renderApp('/shows/quay', responses)
  expect((await screen.findByText('One moment: we are checking you in.')).role).toBe('status')
  expect(screen.queryByText('Check-in for this show is over.')).toBeNull()
  responses['GET /api/concerts/quay'] = () =>
    Response.json({ ...endedPage(), checkIn: { ...endedPage().checkIn, doneAt: endedPage().now } })
  response.resolve(Response.json(checkInAward))
  expect(await screen.findByText('You are in')).toBeTruthy()
})

test.each([
  ['after check-in has closed', endedPage, false],
  ['while check-in is open', buildShowPage, true],
])('a failed check-in can be retried %s', async (_, page, isOpen) => {
  storeScan()
  const failNetwork = () => {
    throw new TypeError('Failed to fetch')
  }
  const responses = supporterResponses({
    'GET /api/concerts/quay': page(),
    'POST /api/concerts/quay/check-in': failNetwork,
  })
  const { sent } = await renderApp('/shows/quay', responses)
  const retryButton = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByRole('alert').textContent).toBe('That did not work. Please try again.')
  expect(sessionStorage.getItem('arrival:quay')).toContain('stored.token')
  // While check-in is open, a code can be typed instead.
  expect(screen.queryByLabelText('Code at the door') !== null).toBe(isOpen)
  Object.assign(responses, checkInResponses())
  fireEvent.click(retryButton)
  expect(await screen.findByText('You are in')).toBeTruthy()
  expect(sent.filter((request) => request === REDEEM_REQUEST)).toHaveLength(2)
  expect(sessionStorage.length).toBe(0)
})

test('shows why a saved scan was rejected after check-in closed', async () => {
  storeScan()
  const expiredScan = () => errorResponse(400, 'bad_token', 'That scan cannot be used any more.')
  await renderApp(
    '/shows/quay',
    supporterResponses({ 'GET /api/concerts/quay': endedPage(), 'POST /api/concerts/quay/check-in': expiredScan }),
  )
  expect((await screen.findByRole('alert')).textContent).toBe('That scan cannot be used any more.')
  expect(screen.getByText('Check-in for this show is over.')).toBeTruthy()
})

test('announces a rejected scan and fills in its code', async () => {
  const wrongCode = () => errorResponse(400, 'bad_input', 'That code is not right any more.')
  await renderApp('/shows/quay#code=654321', supporterResponses({ 'POST /api/concerts/quay/check-in': wrongCode }))
  expect((await screen.findByRole('alert')).textContent).toBe('That code is not right any more.')
  expect((screen.getByLabelText('Code at the door') as HTMLInputElement).value).toBe('654321')
})

test('refetches a server-rendered page to add personal data', async () => {
  const responses = supporterResponses()
  const page = buildShowPage()
  responses['GET /api/concerts/quay'] = { ...page, checkIn: { ...page.checkIn, doneAt: page.now } }
  const queryClient = newQueryClient()
  queryClient.setQueryData(['concerts', 'page', 'quay'], page, { updatedAt: VISITOR_DATA_UPDATED_AT })
  const { sent } = await renderApp('/shows/quay', responses, queryClient)
  expect(await screen.findByText(/You checked in on/)).toBeTruthy()
  expect(sent.filter((request) => request === 'GET /api/concerts/quay')).toHaveLength(1)
})

test('asks for a new code after the scan expired', async () => {
  storeScan()
  const now = new Date(Date.parse(savedScan.expiresAt) + 1).toISOString()
  const newScan = { arrivalToken: 'fresh.token', expiresAt: new Date(Date.parse(now) + 1_800_000).toISOString() }
  const responses = { 'GET /api/concerts/quay': buildShowPage({ now }), 'POST /api/concerts/quay/arrivals': newScan }
  const { sent } = await renderApp('/shows/quay', visitorResponses(responses))
  expect(await screen.findByText(/Your scan has expired/)).toBeTruthy()
  await submitCode('246810')
  expect(await screen.findByText('You are here')).toBeTruthy()
  expect(sent).toContain('POST /api/concerts/quay/arrivals {"code":"246810"}')
  expect(sessionStorage.getItem('arrival:quay')).toContain('fresh.token')
})

test('prefers a new scan to a saved one', async () => {
  storeScan()
  const { sent } = await renderApp('/shows/quay#code=654321', checkInResponses())
  expect(await screen.findByText('You are in')).toBeTruthy()
  expect(sent.filter((request) => request.includes('check-in'))).toEqual([
    'POST /api/concerts/quay/check-in {"code":"654321"}',
  ])
})

test('shows when check-in opens and when it is over', async () => {
  const checkIn = { opensAt: '2099-11-28T23:00:00Z', closesAt: '2099-11-29T05:00:00Z', points: 250, doneAt: null }
  await renderApp('/shows/quay', supporterResponses({ 'GET /api/concerts/quay': buildShowPage({ checkIn }) }))
  expect(await screen.findByText(/Check-in opens on Saturday, November 28, 6:00 PM EST/)).toBeTruthy()
  cleanup()
  const past = { ...checkIn, opensAt: '2025-01-01T00:00:00Z', closesAt: '2025-01-01T05:00:00Z' }
  await renderApp('/shows/quay', supporterResponses({ 'GET /api/concerts/quay': buildShowPage({ checkIn: past }) }))
  expect(await screen.findByText('Check-in for this show is over.')).toBeTruthy()
})

test('a code scanned before check-in opens is not sent', async () => {
  const page = buildShowPage({ now: hoursFromNow(-4) })
  const { sent } = await renderApp('/shows/quay#code=654321', visitorResponses({ 'GET /api/concerts/quay': page }))
  expect((await screen.findByText(/check-in is not open yet/)).role).toBe('status')
  expect(screen.getByText(/Check-in opens on/)).toBeTruthy()
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([])
})

test('says that the code is saved while visitors sign up', async () => {
  await renderApp('/shows/quay', visitorResponses())
  expect(await screen.findByText(/We save it while you sign up or log in/)).toBeTruthy()
})

test('opens and closes check-in by the server’s clock', async () => {
  const responsesAt = (hours: number) =>
    supporterResponses({ 'GET /api/concerts/quay': buildShowPage({ now: hoursFromNow(hours) }) })
  await renderApp('/shows/quay', responsesAt(-4))
  expect(await screen.findByText(/Check-in opens on/)).toBeTruthy()
  expect(screen.getByText(/are going$/).textContent).toBe('3 supporters are going')
  cleanup()
  await renderApp('/shows/quay', responsesAt(2.5))
  expect(await screen.findByLabelText('Code at the door')).toBeTruthy()
  expect([screen.getByText('PLAYED').tagName, screen.getByText(/said they were going/).tagName]).toEqual(['P', 'P'])
  expect(screen.queryByRole('button', { name: 'I am going' })).toBeNull()
  cleanup()
  await renderApp('/shows/quay', responsesAt(4))
  expect(await screen.findByText('Check-in for this show is over.')).toBeTruthy()
})

test('links to directions, calendars and show alerts', async () => {
  await renderApp('/shows/quay', visitorResponses())
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  await screen.findByRole('link', { name: 'Get Directions' })
  expect(hrefOf('Get Directions')).toMatch(/^https:\/\/www\.google\.com\/maps\/search\//)
  expect(hrefOf('Add to Calendar')).toMatch(/^https:\/\/calendar\.google\.com\//)
  expect(hrefOf('Calendar file')).toMatch(/^\/api\/concerts\/[\w-]+\/event\.ics$/)
  expect(screen.getByRole('button', { name: 'Get Show Alerts' })).toBeTruthy()
})

test('counts attendance and shows the username only on request', async () => {
  const going = (named: boolean) => ({ count: 4, names: named ? ['ann', 'me'] : ['ann'], me: { going: true, named } })
  const page = buildShowPage()
  const { sent } = await renderApp(
    '/shows/quay',
    supporterResponses({
      'GET /api/concerts/quay': () => Response.json(page),
      'POST /api/concerts/quay/going': async (request: Request) => {
        page.going = going(((await request.json()) as { named: boolean }).named)
        return Response.json(page.going)
      },
    }),
  )
  fireEvent.click(await screen.findByRole('button', { name: 'I am going' }))
  const nameCheckbox = await screen.findByRole('checkbox', { name: 'Show my username here' })
  expect(sent).toContain('POST /api/concerts/quay/going {"named":false}')
  fireEvent.click(nameCheckbox)
  await waitFor(() => expect(screen.getByRole('list', { name: 'Going' }).textContent).toBe('annmeand 2 more'))
})

test('shows the attendance although an older fetch ends later', async () => {
  const going = { count: 4, names: [], me: { going: true, named: false } }
  const responses = supporterResponses({ 'POST /api/concerts/quay/going': going })
  const { queryClient } = await renderApp('/shows/quay', responses)
  const goingButton = await screen.findByRole('button', { name: 'I am going' })
  const olderFetch = Promise.withResolvers<Response>()
  responses['GET /api/concerts/quay'] = () => olderFetch.promise
  void queryClient.invalidateQueries({ queryKey: ['concerts', 'page', 'quay'] })
  responses['GET /api/concerts/quay'] = buildShowPage({ going: { ...going, count: 5 } })
  fireEvent.click(goingButton)
  expect(await screen.findByRole('checkbox', { name: 'Show my username here' })).toBeTruthy()
  olderFetch.resolve(Response.json(buildShowPage()))
  expect(await screen.findByText('5')).toBeTruthy()
  expect(screen.getByRole('checkbox', { name: 'Show my username here' })).toBeTruthy()
})

test('keeps the server’s clock when a refetch fails', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const responses = supporterResponses({
    'POST /api/concerts/quay/going': { count: 4, names: [], me: { going: true, named: false } },
  })
  await renderApp('/shows/quay', responses)
  const goingButton = await screen.findByRole('button', { name: 'I am going' })
  vi.setSystemTime(Date.now() + 3.5 * 3_600_000)
  responses['GET /api/concerts/quay'] = () => errorResponse(500, 'failed', 'Something went wrong.')
  fireEvent.click(goingButton)
  expect(await screen.findByRole('checkbox', { name: 'Show my username here' })).toBeTruthy()
  expect(screen.queryByText(/Check-in opens on/)).toBeNull()
})

test('a show’s id redirects to its slug', async () => {
  const show = buildShowPage({ slug: 'the-quay-tampa' })
  const responses = visitorResponses({ 'GET /api/concerts/the-quay-tampa': show, 'GET /api/concerts/quay': show })
  await renderApp('/shows/quay', responses)
  await waitFor(() => expect(location.pathname).toBe('/shows/the-quay-tampa'))
  expect(await screen.findByRole('heading', { level: 1, name: 'The Quay' })).toBeTruthy()
})

test('renders the 404 page for an unknown show', async () => {
  await renderApp('/shows/none', visitorResponses())
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
})

test('invites the first supporter to say they are going', async () => {
  const show = buildShowPage({ going: { count: 0, names: [], me: null } })
  await renderApp('/shows/quay', visitorResponses({ 'GET /api/concerts/quay': show }))
  expect((await screen.findByText(/Be the first/)).textContent).toBe('0 so far. Be the first.')
})

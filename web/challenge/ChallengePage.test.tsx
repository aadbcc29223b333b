import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { dropPendingChoice } from '../auth/pending-choice'
import { buildChallenge, FINALISTS } from '../testing/challenge.fixture'
import {
  changeField,
  errorResponse,
  type MockResponses,
  mockFetch,
  noContent,
  renderApp,
  submitForm,
} from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { buildSupporter } from '../testing/supporter.fixture'
// Preloads lazy pages, which could load for longer than a test waits.
import '../auth/SignUpSheet'
import '../ui/ToastViewport'
import './lazy-pages'

beforeEach(dropPendingChoice)

const ballot = { finalistId: 'f1', castAt: '2026-08-13T12:00:00Z', pseudonym: 'quiet-heron-4711' }
const buildMyChallenge = (changes = {}) => ({
  verse: null,
  ballot: null,
  emailVerified: true,
  isRekeyed: false,
  ...changes,
})
const seal = { sha256: 'ab'.repeat(32), ballots: 10, sealedAt: '2026-08-16T12:00:00Z' }
const votingChallenge = buildChallenge({ state: 'voting', finalists: FINALISTS })

const visitorResponses = (challenge: unknown, changes: MockResponses = {}): MockResponses => ({
  'GET /api/config': buildSite(),
  'GET /api/auth/status': null,
  'GET /api/challenge/current': () => Response.json(challenge),
  ...changes,
})
const supporterResponses = (challenge: unknown, changes: MockResponses = {}) =>
  visitorResponses(challenge, {
    'GET /api/auth/status': buildSupporter(),
    'GET /api/challenges/bars/mine': buildMyChallenge(),
    ...changes,
  })

/** Mocks the upload of the audio file, which uses XMLHttpRequest. */
function mockUpload(status: number, responseText: string) {
  class FakeRequest {
    upload: { onprogress?: (event: unknown) => void } = {}
    status = status
    responseText = responseText
    statusText = ''
    onload = () => {}
    open() {}
    setRequestHeader() {}
    getResponseHeader = () => null
    abort() {}
    send() {
      this.upload.onprogress?.({ loaded: 1, total: 2 })
      queueMicrotask(() => this.onload())
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
}

const FORM_VALUES = { Name: 'Low Tide', Email: 'low@mail.example', Phone: '813 555 0142' }
async function fillInForm() {
  const form = within(await screen.findByRole('form', { name: 'Your verse' }))
  for (const [label, value] of Object.entries(FORM_VALUES))
    fireEvent.change(form.getByLabelText(label), { target: { value } })
  const file = new File(['RIFF____WAVEfmt '], 'verse.wav', { type: 'audio/wav' })
  fireEvent.change(form.getByLabelText('Recording: choose a recording'), { target: { files: [file] } })
  await form.findByText(/verse\.wav/)
  fireEvent.click(form.getByRole('checkbox'))
  return form
}

test('shows deadline, rules, terms and days left during submissions', async () => {
  await renderApp('/challenge', visitorResponses(buildChallenge()))
  expect(await screen.findByText(/^Send yours by .*E[SD]T\.$/)).toBeTruthy()
  expect(screen.getByText('3 days')).toBeTruthy()
  expect(screen.getByText('Your own words.')).toBeTruthy()
  expect(await screen.findByText(/no one else has rights in them/)).toBeTruthy()
  const currentSteps = screen.getByRole('region', { name: 'Timeline' }).querySelectorAll('[aria-current="step"]')
  expect([...currentSteps].map((item) => item.textContent)).toEqual([expect.stringContaining('Submissions open')])
})

test('plays the beat and links its download above the form', async () => {
  const beatUrl = '/api/challenges/bars/beat'
  await renderApp('/challenge', visitorResponses(buildChallenge({ beatUrl })))
  const play = await screen.findByRole('button', { name: 'Play the beat of Sixteen Bars' })
  const download = screen.getByRole('link', { name: 'Download the beat' })
  expect([download.getAttribute('href'), download.hasAttribute('download')]).toEqual([`${beatUrl}?download`, true])
  expect(document.querySelector('audio')?.getAttribute('src')).toBe(beatUrl)
  const form = await screen.findByRole('form', { name: 'Your verse' })
  for (const control of [play, download])
    expect(control.compareDocumentPosition(form)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('submits a verse and shows where to confirm it', async () => {
  mockUpload(201, '{"recording":"rec-1","sizeBytes":4}')
  const { sent } = await renderApp(
    '/challenge',
    visitorResponses(buildChallenge(), {
      'POST /api/challenges/bars/submissions': { id: 'v1', submittedAt: '2026-08-02T00:00:00Z' },
    }),
  )
  const form = await fillInForm()
  fireEvent.click(form.getByRole('button', { name: 'Send my verse' }))
  expect(await screen.findByText('Your verse is in')).toBeTruthy()
  expect(screen.getByText('low@mail.example')).toBeTruthy()
  expect(JSON.parse(sent.find((item) => item.includes('submissions'))?.replace(/^\S+ \S+ /, '') ?? '')).toEqual({
    name: 'Low Tide',
    email: 'low@mail.example',
    phoneNumber: '813 555 0142',
    recording: 'rec-1',
    terms: expect.stringMatching(/^verse-/),
  })
})

test('shows errors at their field and keeps the input', async () => {
  mockUpload(201, '{"recording":"rec-1","sizeBytes":4}')
  const errors = [
    errorResponse(400, 'bad_input', 'Please enter a phone number that can be called.'),
    errorResponse(409, 'conflict', 'You have sent a verse already.'),
  ]
  await renderApp(
    '/challenge',
    visitorResponses(buildChallenge(), { 'POST /api/challenges/bars/submissions': () => errors.shift()! }),
  )
  const form = await fillInForm()
  fireEvent.click(form.getByRole('button', { name: 'Send my verse' }))
  await waitFor(() => expect(form.getByLabelText('Phone').getAttribute('aria-invalid')).toBe('true'))
  expect(form.getByText('Please enter a phone number that can be called.')).toBeTruthy()
  fireEvent.change(form.getByLabelText('Phone'), { target: { value: '813 555 0143' } })
  fireEvent.click(form.getByRole('button', { name: 'Send my verse' }))
  expect((await form.findByRole('alert')).textContent).toBe('You have sent a verse already.')
  expect((form.getByLabelText('Name') as HTMLInputElement).value).toBe('Low Tide')
  expect((form.getByRole('checkbox') as HTMLInputElement).checked).toBe(true)
  expect(form.getByText('verse.wav')).toBeTruthy()
})

test('rejects invalid files before uploading', async () => {
  await renderApp('/challenge', visitorResponses(buildChallenge()))
  const form = within(await screen.findByRole('form', { name: 'Your verse' }))
  const pick = (file: File) =>
    fireEvent.change(form.getByLabelText('Recording: choose a recording'), { target: { files: [file] } })
  pick(new File(['<!doctype html>'], 'page.wav', { type: 'audio/wav' }))
  expect(await form.findByText(/^This file is not a recording: it begins like a web page\./)).toBeTruthy()
  const large = new File(['RIFF____WAVEfmt '], 'large.wav', { type: 'audio/wav' })
  Object.defineProperty(large, 'size', { value: 500 * 1024 * 1024 })
  pick(large)
  expect(await form.findByText('Please choose a recording of at most 50 MB.')).toBeTruthy()
})

test('shows the user’s verse and withdraws it after confirmation', async () => {
  const verse = {
    id: 'v1',
    name: 'Low Tide',
    submittedAt: '2026-08-02T12:00:00Z',
    isFinalist: false,
    isConfirmed: true,
    canWithdraw: true,
  }
  const responses = [buildMyChallenge({ verse }), buildMyChallenge()]
  const { sent } = await renderApp(
    '/challenge',
    supporterResponses(buildChallenge(), {
      'GET /api/challenges/bars/mine': () => Response.json(responses.shift() ?? buildMyChallenge()),
      'DELETE /api/challenges/bars/submission': noContent,
    }),
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw it' }))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw it' }))
  expect(await screen.findByRole('form', { name: 'Your verse' })).toBeTruthy()
  expect(sent).toContain('DELETE /api/challenges/bars/submission')
})

test('keeps a visitor’s vote and casts it after the login', async () => {
  const { sent } = await renderApp('/challenge', visitorResponses(votingChallenge))
  expect(await screen.findByRole('link', { name: 'Sign Up' })).toHaveProperty(
    'search',
    '?return=%2Fchallenge%2Fbars%23vote',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Vote for Low Tide' }))
  expect(await screen.findByText('Please sign up or login to vote')).toBeTruthy()
  expect((await screen.findByRole('dialog', {}, { timeout: 5000 })).textContent).toContain('vote for “Low Tide”')
  expect(sent.some((item) => item.startsWith('POST'))).toBe(false)

  const { sent: sentAfterLogin } = mockFetch(
    supporterResponses(votingChallenge, {
      'POST /api/auth/login': buildSupporter(),
      'POST /api/challenges/bars/vote': ballot,
      'GET /api/challenges/bars/mine': buildMyChallenge({ ballot }),
    }),
  )
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'Login' }), { button: 0 })
  changeField('Username or email', 'ana')
  changeField('Password', 'seven golden lanterns')
  submitForm('Password')
  expect(await screen.findByRole('region', { name: 'Your ballot' })).toBeTruthy()
  expect(sentAfterLogin).toContain('POST /api/challenges/bars/vote {"finalistId":"f1"}')
  expect(await screen.findByText('Your vote for Low Tide counts.')).toBeTruthy()
})

test('does not cast an unconfirmed supporter’s vote after the login', async () => {
  await renderApp('/challenge', visitorResponses(votingChallenge))
  fireEvent.click(await screen.findByRole('button', { name: 'Vote for Low Tide' }))
  await screen.findByRole('dialog', {}, { timeout: 5000 })
  const newcomer = buildSupporter({ emailVerified: false, email: 'ana@fan.example' })
  const { sent } = mockFetch(
    supporterResponses(votingChallenge, {
      'POST /api/auth/login': newcomer,
      'GET /api/auth/status': newcomer,
      'GET /api/challenges/bars/mine': buildMyChallenge({ emailVerified: false }),
    }),
  )
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'Login' }), { button: 0 })
  changeField('Username or email', 'ana')
  changeField('Password', 'seven golden lanterns')
  submitForm('Password')
  expect(await screen.findByText(/^Once you have confirmed ana@fan\.example, you can vote for Low Tide\./)).toBeTruthy()
  expect(sent.some((item) => item.startsWith('POST /api/challenges'))).toBe(false)
})

test('asks for a confirmed address before voting', async () => {
  await renderApp(
    '/challenge',
    supporterResponses(votingChallenge, {
      'GET /api/challenges/bars/mine': buildMyChallenge({ emailVerified: false }),
    }),
  )
  expect(await screen.findByText(/Please confirm your email first/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send a new link' })).toBeTruthy()
})

test('explains unavailable ballots after the signing secret changed', async () => {
  await renderApp(
    '/challenge',
    supporterResponses(votingChallenge, { 'GET /api/challenges/bars/mine': buildMyChallenge({ isRekeyed: true }) }),
  )
  expect(
    await screen.findByText(/^We can no longer look up your ballot\. You find it in the public tally/),
  ).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Vote/ })).toBeNull()
})

test('confirms a vote, then shows its pseudonym', async () => {
  let hasVoted = false
  const { sent } = await renderApp(
    '/challenge',
    supporterResponses(votingChallenge, {
      // A request that was sent before the vote never gets a response.
      'GET /api/challenges/bars/mine': () =>
        hasVoted ? Response.json(buildMyChallenge({ ballot })) : new Promise(() => {}),
      'POST /api/challenges/bars/vote': () => {
        hasVoted = true
        return Response.json(ballot)
      },
    }),
  )
  await screen.findByText(/You have one vote, and you can’t change it/)
  fireEvent.click(screen.getByRole('button', { name: 'Vote for Low Tide' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Vote for Low Tide?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Vote for Low Tide' }))
  const ballotSection = await screen.findByRole('region', { name: 'Your ballot' })
  expect(ballotSection.textContent).toContain('quiet-heron-4711')
  expect(screen.queryByRole('button', { name: /^Vote for/ })).toBeNull()
  expect(sent.filter((item) => item.startsWith('POST'))).toEqual(['POST /api/challenges/bars/vote {"finalistId":"f1"}'])
})

test('shows a late vote’s error in the dialog', async () => {
  await renderApp(
    '/challenge',
    supporterResponses(votingChallenge, {
      'POST /api/challenges/bars/vote': () => errorResponse(410, 'closed', 'Voting has closed.'),
    }),
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Vote for High Water' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Vote for High Water' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('Voting has closed.')
})

test('shows the digest but no counts before publication', async () => {
  await renderApp('/challenge', visitorResponses(buildChallenge({ state: 'closed', finalists: FINALISTS, seal })))
  expect((await screen.findByRole('region', { name: 'Voting results are sealed' })).textContent).toContain(seal.sha256)
  expect(screen.queryByRole('region', { name: 'The result' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'The tally (CSV)' })).toBeNull()
})

test('shows winner, tally and recount instructions', async () => {
  const results = {
    finalists: [
      { id: 'f1', name: 'Low Tide', votes: 6, percent: 66.7 },
      { id: 'f2', name: 'High Water', votes: 3, percent: 33.3 },
    ],
    counted: 9,
    excluded: 1,
    tallyUrl: '/api/challenges/bars/tally.csv',
  }
  const published = buildChallenge({ state: 'published', finalists: FINALISTS, seal, results })
  await renderApp(
    '/challenge',
    supporterResponses(published, { 'GET /api/challenges/bars/mine': buildMyChallenge({ ballot }) }),
  )
  const result = await screen.findByRole('region', { name: 'The result' })
  expect(result.textContent).toMatch(/WinnerLow Tide.*9 votes for 2 finalists.*66\.7%.*33\.3%/)
  const recount = within(screen.getByRole('region', { name: 'Count it yourself' }))
  expect(recount.getByText(/^1 ballot was left out.*each with the reason it was flagged\.$/)).toBeTruthy()
  expect(recount.getByRole('link', { name: 'The tally (CSV)' }).getAttribute('href')).toBe(results.tallyUrl)
  expect(recount.getByText(`node recount.mjs tally-bars.csv ${seal.sha256}`)).toBeTruthy()
  expect((await screen.findByRole('region', { name: 'Your ballot' })).textContent).toContain('Find it in the tally')
})

test('shows two winners of a tie', async () => {
  const tied = FINALISTS.map(({ id, name }) => ({ id, name, votes: 2, percent: 50 }))
  const results = { finalists: tied, counted: 4, excluded: 0, tallyUrl: '/t' }
  await renderApp(
    '/challenge',
    visitorResponses(buildChallenge({ state: 'published', finalists: FINALISTS, seal, results })),
  )
  expect(await screen.findByText('Winners, with equal votes')).toBeTruthy()
})

test('links to earlier results', async () => {
  const results = { finalists: [], counted: 9, excluded: 0, tallyUrl: '/api/challenges/old/tally.csv' }
  const old = buildChallenge({ id: 'old', title: 'Old Bars', state: 'published', finalists: FINALISTS, seal, results })
  const current = buildChallenge({ others: [{ id: 'old', title: 'Old Bars', date: '2025-07-20' }] })
  const oldChallengeResponses = {
    'GET /api/challenges/old': () => Response.json(old),
    'GET /api/challenges/old/mine': buildMyChallenge({ ballot }),
  }
  await renderApp('/challenge', supporterResponses(current, oldChallengeResponses))
  const list = within(await screen.findByRole('region', { name: 'Other results' }))
  fireEvent.click(list.getByRole('link', { name: /Old Bars/ }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Old Bars' })).toBeTruthy()
  expect(location.pathname).toBe('/challenge/old')
  expect(await screen.findByText(`node recount.mjs tally-old.csv ${seal.sha256}`)).toBeTruthy()
  expect((await screen.findByRole('region', { name: 'Your ballot' })).textContent).toContain(ballot.pseudonym)
  const latestLink = within(screen.getByRole('navigation', { name: 'The latest challenge' }))
  expect(latestLink.getByText('Sixteen Bars')).toBeTruthy()
  fireEvent.click(latestLink.getByRole('link', { name: 'Go to the current challenge' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Sixteen Bars' })).toBeTruthy()
  expect(location.pathname).toBe('/challenge')
})

test('shows no latest-challenge link on the latest challenge', async () => {
  await renderApp(
    '/challenge/bars',
    visitorResponses(buildChallenge(), { 'GET /api/challenges/bars': buildChallenge() }),
  )
  expect(await screen.findByRole('heading', { level: 1, name: 'Sixteen Bars' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('navigation', { name: 'The latest challenge' })).toBeNull())
})

test('invites to the newsletter before the first challenge', async () => {
  await renderApp('/challenge', visitorResponses(null))
  expect(await screen.findByRole('heading', { level: 1, name: 'Verse Challenge' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Get the newsletter' }).getAttribute('href')).toBe('/#newsletter')
})

test('confirms a withdrawal by emailed link', async () => {
  const { sent } = await renderApp('/challenge/withdraw?token=abc', {
    'GET /api/config': buildSite(),
    'GET /api/auth/status': null,
    'POST /api/challenge/withdraw': { withdrawn: true },
  })
  expect(sent.some((item) => item.startsWith('POST'))).toBe(false)
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw my verse' }))
  expect(await screen.findByText('Your verse, its recording and your details are deleted.')).toBeTruthy()
  expect(sent).toContain('POST /api/challenge/withdraw {"token":"abc"}')
})

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { buildAdminChallenge, buildAdminFinalist, buildSubmission } from '../testing/admin-challenge.fixture'
import {
  changeField,
  errorResponse,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
} from '../testing/render'
import { ChallengeStepsPage } from './ChallengeStepsPage'

const verse = buildSubmission()
const GET_VERSES = 'GET /api/admin/challenges/bars/submissions'
const GET_LISTENING_QUEUE = 'GET /api/admin/challenges/bars/listening'
const GET_FLAGS = 'GET /api/admin/challenges/bars/flags'
const renderChallenge = async (challenge: AdminChallenge, responses: MockResponses = {}, step = '') => {
  const network = mockFetch({
    'GET /api/admin/challenges': [challenge],
    [GET_VERSES]: [verse],
    [GET_LISTENING_QUEUE]: [verse],
    'GET /api/admin/views?list=submissions': [],
    [GET_FLAGS]: [],
    ...responses,
  })
  const view = await renderWithProviders(<ChallengeStepsPage />, {
    path: `/admin/challenge/bars${step && `?step=${step}`}`,
  })
  return { ...network, ...view }
}

test('disables opening the voting without two finalists', async () => {
  await renderChallenge(buildAdminChallenge({ finalists: [buildAdminFinalist('a')] }))
  expect(await screen.findByText('Name at least two finalists, then voting can open.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Open voting' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('asks to confirm a phase change and shows an error', async () => {
  const { sent } = await renderChallenge(
    buildAdminChallenge({ finalists: [buildAdminFinalist('a'), buildAdminFinalist('b')] }),
    {
      'POST /api/admin/challenges/bars/move': () =>
        errorResponse(409, 'conflict', 'Someone else has just changed this.'),
    },
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Open voting' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/^MC a, MC b: they are public in this order/)).toBeTruthy()
  expect(dialog.getByText('This cannot be undone.')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Open voting' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('Someone else has just changed this.')
  expect(sent).toContain('POST /api/admin/challenges/bars/move {"from":"finalists"}')
})

test('offers to open voting when it does not open automatically', async () => {
  await renderChallenge(
    buildAdminChallenge({ opensByHand: true, finalists: [buildAdminFinalist('a'), buildAdminFinalist('b')] }),
  )
  expect(await screen.findByText(/^Voting day is here. Open voting once you have named every finalist/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Open voting now' }))
  expect(await screen.findByRole('dialog')).toBeTruthy()
})

test('warns after the signing secret changed', async () => {
  await renderChallenge(buildAdminChallenge({ state: 'voting', isRekeyed: true }))
  expect((await screen.findByRole('alert')).textContent).toContain('No one can vote until the old secret is restored.')
})

test('reveals the contact data of a finalist’s entrant', async () => {
  const revealedVerse = { ...verse, email: 'low@mail.example', phoneNumber: '+18135550142' }
  const finalists = [
    { ...buildAdminFinalist('a'), submissionId: 'v1' },
    { ...buildAdminFinalist('b'), submissionId: null },
  ]
  const { sent } = await renderChallenge(
    buildAdminChallenge({ state: 'voting', finalists }),
    {
      'POST /api/verse-submissions/v1/reveal': revealedVerse,
    },
    'finalists',
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Reveal the contact data of MC a' }))
  const emailLink = await screen.findByRole('link', { name: 'low@mail.example' })
  expect(emailLink.getAttribute('href')).toBe('mailto:low@mail.example')
  expect(screen.getByRole('link', { name: '+18135550142' }).getAttribute('href')).toBe('tel:+18135550142')
  expect(screen.getByText('Low Tide')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Reveal/ })).toBeNull()
  expect(sent).toContain('POST /api/verse-submissions/v1/reveal')
})

test('reveals the contact data of two verses at once', async () => {
  const verses = [verse, { ...verse, id: 'v2', name: 'Undertow' }]
  const responses = verses.map(() => Promise.withResolvers<Response>())
  await renderChallenge(
    buildAdminChallenge(),
    {
      [GET_VERSES]: verses,
      'POST /api/verse-submissions/v1/reveal': () => responses[0]!.promise,
      'POST /api/verse-submissions/v2/reveal': () => responses[1]!.promise,
    },
    'submissions',
  )
  for (const { name } of verses) fireEvent.click(await screen.findByRole('button', { name: `Reveal ${name}` }))
  for (const [index, { id }] of verses.entries())
    responses[index]!.resolve(Response.json({ ...verses[index], email: `${id}@mail.example` }))
  expect(await screen.findByText('v1@mail.example')).toBeTruthy()
  expect(await screen.findByText('v2@mail.example')).toBeTruthy()
})

test('explains that an entrant’s contact data was erased', async () => {
  const erasedVerse = { ...verse, name: 'Deleted', email: 'deleted', phoneNumber: '' }
  await renderChallenge(
    buildAdminChallenge({ state: 'voting', finalists: [{ ...buildAdminFinalist('a'), submissionId: 'v1' }] }),
    {
      'POST /api/verse-submissions/v1/reveal': erasedVerse,
    },
    'finalists',
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Reveal the contact data of MC a' }))
  expect(await screen.findByText('The contact data was erased.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'deleted' })).toBeNull()
})

test('excludes a flagged ballot without showing votes', async () => {
  const flagged = {
    ballot: 12,
    castAt: '2026-08-13T12:00:00Z',
    kinds: ['burst', 'new_account'],
    sameNetwork: 8,
    sameDevice: 0,
    decision: null,
  }
  const challenge = buildAdminChallenge({
    state: 'closed',
    votes: 40,
    openFlags: 1,
    finalists: [buildAdminFinalist('a'), buildAdminFinalist('b')],
  })
  const { sent } = await renderChallenge(challenge, {
    [GET_FLAGS]: [flagged],
    'POST /api/admin/challenges/bars/flags/12': noContent,
  })
  expect(await screen.findByText('One of 9 from one network within minutes')).toBeTruthy()
  expect(screen.getByText(/^You see who leads once the result is sealed/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Exclude ballot 12' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Exclude it' }))
  expect(dialog.getByText('Please say why.')).toBeTruthy()
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Nine at once.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Exclude it' }))
  expect(await screen.findByText(/Ballot excluded/)).toBeTruthy()
  expect(sent).toContain('POST /api/admin/challenges/bars/flags/12 {"keep":false,"reason":"Nine at once."}')
})

test('counts the ballots of all new accounts with one reason', async () => {
  const challenge = buildAdminChallenge({ state: 'closed', votes: 140, openFlags: 101, openNewAccounts: 100 })
  const { sent } = await renderChallenge(challenge, {
    'POST /api/admin/challenges/bars/flags': () => Response.json({ kept: 99 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Count 100 new accounts' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Fans sign up to vote.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Count them' }))
  expect(await screen.findByText(/99 ballots counted/)).toBeTruthy()
  expect(sent).toContain('POST /api/admin/challenges/bars/flags {"reason":"Fans sign up to vote."}')
})

test('shows votes, winner and digest once the result is sealed', async () => {
  const seal = { sha256: 'cd'.repeat(32), ballots: 40, sealedAt: '2026-08-16T12:00:00Z' }
  await renderChallenge(
    buildAdminChallenge({
      state: 'closed',
      votes: 40,
      seal,
      finalists: [buildAdminFinalist('a', 15), buildAdminFinalist('b', 25)],
    }),
  )
  const voteBars = await screen.findByRole('list', { name: 'Votes by finalist' })
  expect(voteBars.textContent).toBe('MC b25MC a15')
  expect(screen.getAllByRole('button', { name: /^Reveal/ }).map((item) => item.getAttribute('aria-label'))).toEqual([
    'Reveal the contact data of MC b',
  ])
  expect(screen.getByText(seal.sha256)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Publish the result' })).toBeTruthy()
})

test.each([
  ['announced', 'Dates and rules', 'Submissions open automatically on August 1, 2026.', 'Open submissions now'],
  ['submissions', 'Submissions', 'Submissions close automatically at the end of August 10, 2026.', 'Close submissions'],
  ['voting', 'Voting', 'Voting closes automatically at the end of August 15, 2026.', 'Close voting'],
  ['closed', 'Check ballots', /^No flags are open. The result is sealed automatically/, 'Seal the result'],
] as const)('in state %s, shows what happens next and when', async (state, label, when, button) => {
  await renderChallenge(buildAdminChallenge({ state, finalists: [buildAdminFinalist('a'), buildAdminFinalist('b')] }))
  expect(await screen.findByRole('heading', { level: 2, name: label })).toBeTruthy()
  const step = screen.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step')
  expect(step?.textContent).toContain(`Now${label}`)
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['What happens next', 'When', 'What you can do now']),
  )
  expect(screen.getByText(when)).toBeTruthy()
  expect(screen.getByRole('button', { name: button })).toBeTruthy()
})

test('an admin can open past and future steps', async () => {
  const challenge = buildAdminChallenge({
    state: 'voting',
    submissions: 12,
    finalists: [buildAdminFinalist('a'), buildAdminFinalist('b')],
  })
  await renderChallenge(challenge)
  const open = async (name: RegExp) =>
    fireEvent.click(within(await screen.findByRole('navigation', { name: 'Steps' })).getByRole('link', { name }))
  await open(/Listening/)
  expect(await screen.findByText('2 finalists picked from 12 verses.')).toBeTruthy()
  await open(/Result/)
  expect(await screen.findByText('Automatically at the end of August 16, 2026.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Close voting' })).toBeNull()
})

test('shows a date’s error at its field', async () => {
  const { sent } = await renderChallenge(buildAdminChallenge({ state: 'announced' }))
  const field = await screen.findByLabelText('Winner on')
  fireEvent.change(field, { target: { value: '2020-08-14' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^The winner can’t be announced before voting ends\./)).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(sent.some((request) => request.startsWith('PATCH'))).toBe(false)
})

test('a new challenge can be saved with the suggested dates', async () => {
  const { sent } = mockFetch({ 'GET /api/admin/challenges': [], 'POST /api/admin/challenges': { id: 'bars' } })
  const { router } = await renderWithProviders(<ChallengeStepsPage />, { path: '/admin/challenge/new' })
  fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'Bars' } })
  fireEvent.change(screen.getByLabelText('Prize'), { target: { value: 'A day' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/challenge/bars'))
  expect(sent.some((request) => request.startsWith('POST /api/admin/challenges {"title":"Bars"'))).toBe(true)
})

test('marks finalists among the submissions and filters them', async () => {
  const { sent } = await renderChallenge(
    buildAdminChallenge({ state: 'published' }),
    {
      [GET_VERSES]: [
        buildSubmission({ isFinalist: true, averageRating: 4.5, myRating: 4 }),
        buildSubmission({ id: 'v2', name: 'Undertow' }),
      ],
      [`${GET_VERSES}?state=finalist`]: [buildSubmission({ isFinalist: true })],
    },
    'submissions',
  )
  expect((await screen.findByRole('row', { name: 'Low Tide' })).textContent).toContain('Low TideFinalist')
  expect(screen.getByRole('row', { name: 'Undertow' }).textContent).not.toContain('Finalist')
  expect(screen.getByRole('link', { name: /^Low Tide/ }).getAttribute('href')).toBe(
    '/admin/challenge/bars/listen?verse=v1',
  )
  fireEvent.click(screen.getByRole('button', { name: 'State' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Finalist' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: 'Undertow' })).toBeNull())
  expect(sent).toContain(`${GET_VERSES}?state=finalist`)
})

test('puts selected verses on the shortlist', async () => {
  const { sent } = await renderChallenge(
    buildAdminChallenge(),
    { 'PATCH /api/verse-submissions/v1': noContent },
    'submissions',
  )
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Low Tide' }))
  fireEvent.click(screen.getByRole('button', { name: 'Add to the shortlist' }))
  await waitFor(() => expect(sent).toContain('PATCH /api/verse-submissions/v1 {"shortlisted":true}'))
})

test('another challenge’s form shows none of the unsaved input', async () => {
  localStorage.clear()
  const challenges = [buildAdminChallenge(), buildAdminChallenge({ id: 'hooks', title: 'Eight Hooks' })]
  const { router } = await renderChallenge(challenges[0]!, { 'GET /api/admin/challenges': challenges }, 'dates')
  await screen.findByLabelText('Title')
  changeField('Title', 'Seventeen Bars')
  await act(() => router.navigate({ to: '/admin/challenge/hooks?step=dates' as never }))
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Eight Hooks')
})

test('renames the opened finalist after the order changed', async () => {
  localStorage.clear()
  let finalists = [buildAdminFinalist('a'), buildAdminFinalist('b')]
  const { sent, queryClient } = await renderChallenge(
    buildAdminChallenge(),
    {
      'GET /api/admin/challenges': () => Response.json([buildAdminChallenge({ finalists })]),
      'POST /api/admin/challenges/bars/finalists': noContent,
    },
    'finalists',
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Edit MC b' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Stage name'), { target: { value: 'MC Bee' } })
  await waitFor(() => expect(Object.keys(localStorage)).toEqual(['admin.draft.0.finalists.bars.v-b']))
  finalists = finalists.toReversed()
  await act(() => queryClient.invalidateQueries({ queryKey: ['admin', 'challenge'] }))
  await waitFor(() => expect(document.querySelector('.finalist h3')?.textContent).toBe('MC b'))
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.find((line) => line.startsWith('POST'))).toBe(
    'POST /api/admin/challenges/bars/finalists {"was":["b","a"],"finalists":[{"name":"MC Bee","submissionId":"v-b"},{"name":"MC a","submissionId":"v-a"}]}',
  )
})

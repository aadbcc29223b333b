import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { errorResponse, type MockResponses, mockFetch, noContent, renderWithProviders } from '../testing/render'
import { ChallengeStepsPage } from './ChallengeStepsPage'

const buildAdminChallenge = (changes: Partial<AdminChallenge> = {}): AdminChallenge => ({
  id: 'bars',
  title: 'Sixteen Bars',
  prize: 'A day in the studio',
  rules: '',
  beat: null,
  submissionsFrom: '2026-08-01',
  submissionsUntil: '2026-08-10',
  finalistsOn: '2026-08-11',
  votingFrom: '2026-08-12',
  votingUntil: '2026-08-15',
  winnerOn: '2026-08-16',
  closedOn: '2026-08-20',
  state: 'finalists',
  fixed: [],
  opensByHand: false,
  submissions: 1,
  finalists: [],
  votes: 0,
  excluded: 0,
  openFlags: 0,
  openNewAccounts: 0,
  isRekeyed: false,
  seal: null,
  ...changes,
})
const finalist = (id: string, votes: number | null = null) => ({ id, name: `MC ${id}`, submissionId: `v-${id}`, votes })
const verse = {
  id: 'v1',
  name: 'Low Tide',
  email: 'l…@mail.example',
  phoneNumber: '…42',
  submittedAt: '2026-08-02T12:00:00Z',
  challengeId: 'bars',
  hasRecording: true,
  isFinalist: false,
  isConfirmed: true,
  shortlisted: false,
  note: '',
}
const VERSES = 'GET /api/verse-submissions?challenge=bars'
const FLAGS = 'GET /api/admin/challenges/bars/flags'
const openChallenge = async (challenge: AdminChallenge, responses: MockResponses = {}, step = '') => {
  const network = mockFetch({
    'GET /api/admin/challenges': [challenge],
    [VERSES]: [verse],
    [FLAGS]: [],
    ...responses,
  })
  await renderWithProviders(<ChallengeStepsPage />, { path: `/admin/challenge/bars${step && `?step=${step}`}` })
  return network
}

test('disables opening the vote before two finalists', async () => {
  await openChallenge(buildAdminChallenge({ finalists: [finalist('a')] }))
  expect(await screen.findByText('Name at least two finalists, then voting can open.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Open voting' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('confirms a phase change and shows its error', async () => {
  const { sent } = await openChallenge(buildAdminChallenge({ finalists: [finalist('a'), finalist('b')] }), {
    'POST /api/admin/challenges/bars/move': () => errorResponse(409, 'conflict', 'Someone else has just changed this.'),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Open voting' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/^MC a, MC b: they are public in this order/)).toBeTruthy()
  expect(dialog.getByText('This cannot be undone.')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Open voting' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('Someone else has just changed this.')
  expect(sent).toContain('POST /api/admin/challenges/bars/move {"from":"finalists"}')
})

test('offers to open a vote that opens manually', async () => {
  await openChallenge(buildAdminChallenge({ opensByHand: true, finalists: [finalist('a'), finalist('b')] }))
  expect(await screen.findByText(/^Voting day is here. Open voting once you have named every finalist/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Open voting now' }))
  expect(await screen.findByRole('dialog')).toBeTruthy()
})

test('confirms before removing a public finalist', async () => {
  const responses = {
    'POST /api/admin/challenges/bars/finalists': noContent,
    [VERSES]: [{ ...verse, id: 'v-a', isFinalist: true }],
  }
  const { sent } = await openChallenge(
    buildAdminChallenge({ fixed: ['finalistsOn'], finalists: [finalist('a')] }),
    responses,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Listen to Low Tide' }))
  const verseDialog = within(await screen.findByRole('dialog'))
  const removal = 'POST /api/admin/challenges/bars/finalists {"was":["a"],"finalists":[]}'
  fireEvent.click(await verseDialog.findByRole('button', { name: 'Remove from finalists' }))
  expect(sent).not.toContain(removal)
  expect(await screen.findByText(/^MC a is public as a finalist/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(sent).toContain(removal))
})

test('warns after the signing secret changed', async () => {
  await openChallenge(buildAdminChallenge({ state: 'voting', isRekeyed: true }))
  expect((await screen.findByRole('alert')).textContent).toContain('No one can vote until the old one is restored.')
})

test('appends a verse to the finalists', async () => {
  const { sent } = await openChallenge(buildAdminChallenge({ finalists: [finalist('a')] }), {
    'POST /api/admin/challenges/bars/finalists': noContent,
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Listen to Low Tide' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Stage name'), { target: { value: 'Lo Tide' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Pick as finalist' }))
  expect(await screen.findByText('plain | A finalist | Lo Tide is a finalist.')).toBeTruthy()
  expect(sent).toContain(
    'POST /api/admin/challenges/bars/finalists ' +
      '{"was":["a"],"finalists":[{"name":"MC a","submissionId":"v-a"},{"name":"Lo Tide","submissionId":"v1"}]}',
  )
})

test('locks finalists once voting has begun', async () => {
  const finalists = [{ ...finalist('a'), submissionId: 'v1' }, finalist('b')]
  const nextVerse = { ...verse, id: 'v9', name: 'Undertow' }
  await openChallenge(
    buildAdminChallenge({ state: 'voting', finalists }),
    { [VERSES]: [verse, nextVerse] },
    'submissions',
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Listen to Low Tide' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('MC a')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: /finalist/ })).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Next verse' }))
  const nextDialog = within(await screen.findByRole('dialog', { name: 'Undertow' }))
  expect(nextDialog.queryByLabelText('Stage name')).toBeNull()
})

test('reveals the sender of a finalist’s verse', async () => {
  const sender = { ...verse, email: 'low@mail.example', phoneNumber: '+18135550142' }
  const finalists = [
    { ...finalist('a'), submissionId: 'v1' },
    { ...finalist('b'), submissionId: null },
  ]
  const { sent } = await openChallenge(
    buildAdminChallenge({ state: 'voting', finalists }),
    {
      'POST /api/verse-submissions/v1/reveal': sender,
    },
    'finalists',
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Reveal the sender of MC a' }))
  const mail = await screen.findByRole('link', { name: 'low@mail.example' })
  expect(mail.getAttribute('href')).toBe('mailto:low@mail.example')
  expect(screen.getByRole('link', { name: '+18135550142' }).getAttribute('href')).toBe('tel:+18135550142')
  expect(screen.getByText('Low Tide')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Reveal/ })).toBeNull()
  expect(sent).toContain('POST /api/verse-submissions/v1/reveal')
})

test('reveals the senders of two verses at once', async () => {
  const verses = [verse, { ...verse, id: 'v2', name: 'Undertow' }]
  const responses = verses.map(() => Promise.withResolvers<Response>())
  await openChallenge(buildAdminChallenge(), {
    [VERSES]: verses,
    'POST /api/verse-submissions/v1/reveal': () => responses[0]!.promise,
    'POST /api/verse-submissions/v2/reveal': () => responses[1]!.promise,
  })
  for (const { name } of verses) fireEvent.click(await screen.findByRole('button', { name: `Reveal ${name}` }))
  for (const [index, { id }] of verses.entries())
    responses[index]!.resolve(Response.json({ ...verses[index], email: `${id}@mail.example` }))
  expect(await screen.findByText('v1@mail.example')).toBeTruthy()
  expect(await screen.findByText('v2@mail.example')).toBeTruthy()
})

test('explains that a sender’s contact data was erased', async () => {
  const erased = { ...verse, name: 'Deleted', email: 'deleted', phoneNumber: '' }
  await openChallenge(
    buildAdminChallenge({ state: 'voting', finalists: [{ ...finalist('a'), submissionId: 'v1' }] }),
    {
      'POST /api/verse-submissions/v1/reveal': erased,
    },
    'finalists',
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Reveal the sender of MC a' }))
  expect(await screen.findByText('The sender’s details were erased.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'deleted' })).toBeNull()
})

test('saves the note when the verse is closed', async () => {
  const { sent } = await openChallenge(buildAdminChallenge(), { 'PATCH /api/verse-submissions/v1': noContent })
  fireEvent.click(await screen.findByRole('button', { name: 'Listen to Low Tide' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText(/^Note/), { target: { value: 'Strong ending.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Back to the list' }))
  await screen.findByRole('button', { name: 'Listen to Low Tide' })
  expect(sent).toContain('PATCH /api/verse-submissions/v1 {"note":"Strong ending."}')
})

test('toggles the shortlist optimistically and reverts on error', async () => {
  await openChallenge(buildAdminChallenge(), {
    'PATCH /api/verse-submissions/v1': () => new Response('That did not work.', { status: 503 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Listen to Low Tide' }))
  const shortlistBox = within(await screen.findByRole('dialog')).getByRole<HTMLInputElement>('checkbox')
  fireEvent.click(shortlistBox)
  expect(shortlistBox.checked).toBe(true)
  expect(await screen.findByText(/Not saved/)).toBeTruthy()
  expect(shortlistBox.checked).toBe(false)
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
    finalists: [finalist('a'), finalist('b')],
  })
  const { sent } = await openChallenge(challenge, {
    [FLAGS]: [flagged],
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

test('accepts all new accounts with one reason', async () => {
  const challenge = buildAdminChallenge({ state: 'closed', votes: 140, openFlags: 101, openNewAccounts: 100 })
  const { sent } = await openChallenge(challenge, {
    'POST /api/admin/challenges/bars/flags': () => Response.json({ kept: 99 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Count 100 new accounts' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Fans sign up to vote.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Count them' }))
  expect(await screen.findByText(/99 ballots counted/)).toBeTruthy()
  expect(sent).toContain('POST /api/admin/challenges/bars/flags {"reason":"Fans sign up to vote."}')
})

test('shows the final count and locks decisions', async () => {
  const seal = { sha256: 'cd'.repeat(32), ballots: 40, sealedAt: '2026-08-16T12:00:00Z' }
  await openChallenge(
    buildAdminChallenge({ state: 'closed', votes: 40, seal, finalists: [finalist('a', 15), finalist('b', 25)] }),
  )
  const bars = await screen.findByRole('list', { name: 'Votes by finalist' })
  expect(bars.textContent).toBe('MC b25MC a15')
  expect(screen.getAllByRole('button', { name: /^Reveal/ }).map((item) => item.getAttribute('aria-label'))).toEqual([
    'Reveal the sender of MC b',
  ])
  expect(screen.getByText(seal.sha256)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Publish the result' })).toBeTruthy()
})

test.each([
  ['announced', 'Dates and rules', 'Submissions open automatically on August 1, 2026.', 'Open submissions now'],
  ['submissions', 'Submissions', 'Submissions close automatically at the end of August 10, 2026.', 'Close submissions'],
  ['voting', 'Voting', 'Voting closes automatically at the end of August 15, 2026.', 'Close voting'],
  ['closed', 'Check ballots', /^No flags are open. The result is sealed automatically/, 'Seal the result'],
] as const)('the step of %s says what happens, when and what to do', async (state, label, when, button) => {
  await openChallenge(buildAdminChallenge({ state, finalists: [finalist('a'), finalist('b')] }))
  expect(await screen.findByRole('heading', { level: 2, name: label })).toBeTruthy()
  const step = screen.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step')
  expect(step?.textContent).toContain(`${label}Now`)
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['What happens next', 'When', 'What you can do now']),
  )
  expect(screen.getByText(when)).toBeTruthy()
  expect(screen.getByRole('button', { name: button })).toBeTruthy()
})

test('past and future steps can be read', async () => {
  const challenge = buildAdminChallenge({ state: 'voting', submissions: 12, finalists: [finalist('a'), finalist('b')] })
  await openChallenge(challenge)
  const open = async (name: RegExp) =>
    fireEvent.click(within(await screen.findByRole('navigation', { name: 'Steps' })).getByRole('link', { name }))
  await open(/Listening/)
  expect(await screen.findByText('2 finalists picked from 12 verses.')).toBeTruthy()
  await open(/Result/)
  expect(await screen.findByText('Automatically at the end of August 16, 2026.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Close voting' })).toBeNull()
})

test('says what is wrong with a day at its field', async () => {
  const { sent } = await openChallenge(buildAdminChallenge({ state: 'announced' }))
  const field = await screen.findByLabelText('Winner on')
  fireEvent.change(field, { target: { value: '2020-08-14' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^The winner can’t be announced before voting ends\./)).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(sent.some((request) => request.startsWith('PATCH'))).toBe(false)
})

test('a new challenge starts with days that fit', async () => {
  const { sent } = mockFetch({ 'GET /api/admin/challenges': [], 'POST /api/admin/challenges': { id: 'bars' } })
  const { router } = await renderWithProviders(<ChallengeStepsPage />, { path: '/admin/challenge/new' })
  fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'Bars' } })
  fireEvent.change(screen.getByLabelText('Prize'), { target: { value: 'A day' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/challenge/bars'))
  expect(sent.some((request) => request.startsWith('POST /api/admin/challenges {"title":"Bars"'))).toBe(true)
})

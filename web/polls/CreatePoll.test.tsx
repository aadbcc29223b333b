import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeField, mockFetch, renderWithProviders, toastText } from '../testing/render'
import { CreatePoll } from './CreatePoll'

const CREATE_POLL_REQUEST = 'POST /api/polls'
const createdPoll = { id: 'p1', pointsAwarded: 25, totalPoints: 25, missions: [] }

async function openForm(response: unknown = createdPoll) {
  const network = mockFetch({ [CREATE_POLL_REQUEST]: response, 'GET /api/auth/status': null })
  await renderWithProviders(<CreatePoll />)
  fireEvent.click(screen.getByRole('button', { name: 'Create Poll' }))
  return network
}
const publish = () => fireEvent.click(screen.getByRole('button', { name: 'Publish the poll' }))
const optionInputs = () => screen.getAllByLabelText(/^Option \d+$/) as HTMLInputElement[]

test('opens with an empty title and two empty options', async () => {
  await openForm()
  const fields = [screen.getByLabelText('Poll title') as HTMLInputElement, ...optionInputs()]
  expect(fields.map(({ value }) => value)).toEqual(['', '', ''])
  const toggle = screen.getByRole('button', { name: 'Create Poll' })
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  fireEvent.click(toggle)
  expect(screen.queryByLabelText('Poll title')).toBeNull()
})

test('rejects a poll without a title', async () => {
  const { sent } = await openForm()
  publish()
  expect(toastText()).toBe('destructive | Poll title required | Please enter a title for your poll.')
  expect(document.activeElement).toBe(screen.getByLabelText('Poll title'))
  expect(sent.filter((request) => request.startsWith(CREATE_POLL_REQUEST))).toEqual([])
})

test.each([
  [['One', ' '], 'Need more options', 'Please provide at least 2 poll options.', 1],
  [['Coast', ' coast  '], 'Two options are the same', 'Please make each one different.', 1],
])('rejects options %j and preserves the draft', async (titles, toastTitle, text, focusedIndex) => {
  const { sent } = await openForm()
  changeField('Poll title', 'Which one?')
  for (const [index, title] of titles.entries()) changeField(`Option ${index + 1}`, title)
  publish()
  expect(toastText()).toBe(`destructive | ${toastTitle} | ${text}`)
  expect(document.activeElement).toBe(optionInputs()[focusedIndex])
  expect(optionInputs().map(({ value }) => value)).toEqual(titles)
  expect(sent.filter((request) => request.startsWith(CREATE_POLL_REQUEST))).toEqual([])
})

test('allows between two and twenty options', async () => {
  await openForm()
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
  for (let n = 3; n <= 20; n++) fireEvent.click(screen.getByRole('button', { name: 'Add option' }))
  expect(optionInputs()).toHaveLength(20)
  expect(screen.queryByRole('button', { name: 'Add option' })).toBeNull()
  changeField('Option 20', 'The last')
  fireEvent.click(screen.getByRole('button', { name: 'Remove option 1' }))
  expect(optionInputs().at(-1)?.value).toBe('The last')
  expect(optionInputs()).toHaveLength(19)
})

test('shows the points and resets the form after creation', async () => {
  const { sent } = await openForm()
  changeField('Poll title', 'Which one?')
  changeField('Option 1', 'A')
  changeField('Option 2', 'B')
  publish()
  await waitFor(() => expect(toastText()).toBe('plain | Poll created! | +25 points earned'))
  expect(
    JSON.parse(sent.find((request) => request.startsWith(CREATE_POLL_REQUEST))!.slice(CREATE_POLL_REQUEST.length)),
  ).toEqual({
    title: 'Which one?',
    description: '',
    options: [
      { title: 'A', description: '' },
      { title: 'B', description: '' },
    ],
  })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Create Poll' }))
  expect(screen.queryByLabelText('Poll title')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Create Poll' }))
  expect(optionInputs().map(({ value }) => value)).toEqual(['', ''])
})

test('shows the server’s error and preserves the draft', async () => {
  await openForm(() => new Response('You have already asked this today.', { status: 409 }))
  changeField('Poll title', 'Which one?')
  changeField('Option 1', 'A')
  changeField('Option 2', 'B')
  publish()
  await waitFor(() =>
    expect(toastText()).toBe('destructive | Failed to create poll | 409: You have already asked this today.'),
  )
  expect(optionInputs().map(({ value }) => value)).toEqual(['A', 'B'])
})

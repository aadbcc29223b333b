import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { AdminExclusivePost, ModeratedPost } from '../../worker/contract/community'
import { changeField, errorResponse, mockFetch, noContent, renderWithProviders, toastText } from '../testing/render'
import { Toaster } from '../ui/Toaster'
import { CommunityTab } from './CommunityTab'
import { ExclusivePostsTab } from './ExclusivePostsTab'

beforeEach(() => localStorage.clear())

const buildReportedPost = (changes: Partial<ModeratedPost> = {}): ModeratedPost => ({
  id: 'p1',
  author: 'bay_runner',
  authorId: 7,
  isBanned: false,
  text: 'What a night.',
  picture: null,
  preview: null,
  createdAt: '2026-11-20T12:00:00Z',
  likes: 2,
  reports: 2,
  reasons: ['Spam'],
  ...changes,
})

test('dismissing reports sends the number of reports shown', async () => {
  let reports = 1
  const { sent } = mockFetch({
    'GET /api/admin/community/posts?tab=reported': () => Response.json([buildReportedPost({ reports })]),
    'POST /api/admin/community/posts/p1/keep': () =>
      errorResponse(409, 'conflict', 'Its reports have changed meanwhile.'),
  })
  await renderWithProviders(<CommunityTab />)
  expect(await screen.findByText('1 report')).toBeTruthy()
  reports = 3
  fireEvent.click(screen.getByRole('button', { name: 'Keep' }))
  expect(await screen.findByText('3 reports')).toBeTruthy()
  expect(toastText()).toBe('destructive | Not done | 409: Its reports have changed meanwhile.')
  expect(sent).toContain('POST /api/admin/community/posts/p1/keep {"reports":1}')
})

test('two presses on Keep dismiss the reports once', async () => {
  const keepResponse = Promise.withResolvers<Response>()
  const { sent } = mockFetch({
    'GET /api/admin/community/posts?tab=reported': [buildReportedPost()],
    'POST /api/admin/community/posts/p1/keep': () => keepResponse.promise,
  })
  await renderWithProviders(<CommunityTab />)
  const keepButton = await screen.findByRole('button', { name: 'Keep' })
  fireEvent.click(keepButton)
  await waitFor(() => expect(keepButton.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(keepButton)
  await act(async () => keepResponse.resolve(noContent()))
  await waitFor(() => expect(toastText()).toBe('plain | Post kept | '))
  expect(sent.filter((request) => request.startsWith('POST'))).toHaveLength(1)
})

const buildExclusivePost = (changes: Partial<AdminExclusivePost> = {}): AdminExclusivePost => ({
  id: 't1',
  title: 'Demo tape',
  tier: 'gold',
  createdAt: '2026-11-20T12:00:00Z',
  text: 'Too early.',
  removedAt: null,
  version: 1,
  ...changes,
})

test('hides the selected posts with one reason', async () => {
  const { sent } = mockFetch({
    'GET /api/admin/community/posts?tab=reported': [
      buildReportedPost(),
      buildReportedPost({ id: 'p2', author: 'ray' }),
    ],
    'POST /api/admin/community/posts/p1/hide': noContent,
    'POST /api/admin/community/posts/p2/hide': noContent,
  })
  await renderWithProviders(<CommunityTab />)
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  fireEvent.click(within(screen.getByRole('region', { name: 'Selected rows' })).getByRole('button', { name: 'Hide' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Hide 2 posts by bay_runner and ray?' }))
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Spam' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Hide' }))
  await waitFor(() => expect(toastText()).toBe('plain | 2 posts hidden | '))
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual(
    ['p1', 'p2'].map((id) => `POST /api/admin/community/posts/${id}/hide {"reason":"Spam"}`),
  )
})

test('unpublishes an exclusive post and restores it', async () => {
  let removedAt: string | null = null
  const { sent } = mockFetch({
    'GET /api/admin/posts': () => Response.json([buildExclusivePost({ removedAt })]),
    'DELETE /api/admin/posts/t1': () => {
      removedAt = '2026-11-21T12:00:00Z'
      return noContent()
    },
    'POST /api/admin/posts/t1/restore': () => {
      removedAt = null
      return noContent()
    },
  })
  await renderWithProviders(
    <>
      <ExclusivePostsTab />
      <Toaster />
    </>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Unpublish Demo tape' }))
  expect(await screen.findByRole('button', { name: 'Republish Demo tape' })).toBeTruthy()
  expect(toastText()).toBe('plain | Unpublished | Demo tape is off the site.')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'Unpublish Demo tape' })).toBeTruthy()
  expect(sent).toContain('POST /api/admin/posts/t1/restore')
})

test('does not clear a post typed while another is published', async () => {
  const published = Promise.withResolvers<Response>()
  mockFetch({ 'GET /api/admin/posts': [], 'POST /api/admin/posts': () => published.promise })
  await renderWithProviders(<ExclusivePostsTab />)
  changeField('Title', 'Demo tape')
  changeField('Post', 'As it was.')
  fireEvent.click(screen.getByRole('button', { name: 'Publish the post' }))
  await screen.findByRole('button', { name: 'Publishing' })
  changeField('Post', 'The next one.')
  published.resolve(Response.json({ id: 't1' }, { status: 201 }))
  await waitFor(() => expect(toastText()).toContain('Published'))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Post').value).toBe('The next one.')
})

test('edits an exclusive post', async () => {
  let post = buildExclusivePost({ title: 'Demo tpae', tier: 'silver', text: 'As it was.' })
  const { sent } = mockFetch({
    'GET /api/admin/posts': () => Response.json([post]),
    'PATCH /api/admin/posts/t1': async (request: Request) => {
      post = { ...post, ...((await request.json()) as object) }
      return noContent()
    },
  })
  await renderWithProviders(<ExclusivePostsTab />)
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Demo tpae' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect((dialog.getByLabelText('Post') as HTMLTextAreaElement).value).toBe('As it was.')
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'Demo tape' } })
  fireEvent.change(dialog.getByLabelText('Tier'), { target: { value: 'gold' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('button', { name: 'Edit Demo tape' })).toBeTruthy()
  expect(sent).toContain(
    'PATCH /api/admin/posts/t1 {"title":"Demo tape","text":"As it was.","tier":"gold","version":1}',
  )
})

test('hides a post only with a reason', async () => {
  const { sent } = mockFetch({
    'GET /api/admin/community/posts?tab=reported': [buildReportedPost()],
    'POST /api/admin/community/posts/p1/hide': noContent,
  })
  await renderWithProviders(<CommunityTab />)
  expect(await screen.findByText('2 reports')).toBeTruthy()
  expect(screen.getByText('Reported for: Spam')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(document.activeElement?.textContent).toBe('Cancel')
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: ' ' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Hide the post' }))
  expect(await dialog.findByText('Please say why.')).toBeTruthy()
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Spam' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Hide the post' }))
  await waitFor(() => expect(toastText()).toBe('plain | Post hidden | '))
  expect(sent).toContain('POST /api/admin/community/posts/p1/hide {"reason":"Spam"}')
})

test('reviews reported posts one by one', async () => {
  let posts = [buildReportedPost(), buildReportedPost({ id: 'p2', author: 'ray', reports: 1 })]
  const removeFromQueue = (id: string) => () => {
    posts = posts.filter((post) => post.id !== id)
    return noContent()
  }
  const { sent } = mockFetch({
    'GET /api/admin/community/posts?tab=reported': () => Response.json(posts),
    'POST /api/admin/community/posts/p1/hide': removeFromQueue('p1'),
    'POST /api/admin/community/posts/p2/keep': removeFromQueue('p2'),
  })
  await renderWithProviders(<CommunityTab />, { path: '/admin/community?review=next' })
  fireEvent.click(await screen.findByRole('button', { name: 'Hide the post' }))
  expect(await screen.findByRole('heading', { name: 'Reported post by ray' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Keep the post' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([
    'POST /api/admin/community/posts/p1/hide {"reason":"It doesn’t belong in this community."}',
    'POST /api/admin/community/posts/p2/keep {"reports":1}',
  ])
})

test('banning an author says what is hidden', async () => {
  mockFetch({ 'GET /api/admin/community/posts?tab=reported': [buildReportedPost()] })
  await renderWithProviders(<CommunityTab />)
  fireEvent.click(await screen.findByRole('button', { name: /^Ban / }))
  expect((await screen.findByRole('dialog')).textContent).toContain('their posts and pictures are hidden')
})

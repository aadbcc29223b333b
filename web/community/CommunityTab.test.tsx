import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ModerationQueuePost } from '../../worker/contract/community'
import { errorResponse, mockFetch, noContent, renderWithProviders, toastText } from '../testing/render'
import { Toaster } from '../ui/Toaster'
import { CommunityTab } from './CommunityTab'
import { PostsTab } from './PostsTab'

const buildReportedPost = (changes: Partial<ModerationQueuePost> = {}): ModerationQueuePost => ({
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

test('sends the number of reports shown when keeping a post', async () => {
  let reports = 1
  const { sent } = mockFetch({
    'GET /api/admin/community/posts': () => Response.json([buildReportedPost({ reports })]),
    'GET /api/admin/posts': [],
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

test('keeps a post once after two presses', async () => {
  const keepResponse = Promise.withResolvers<Response>()
  const { sent } = mockFetch({
    'GET /api/admin/community/posts': [buildReportedPost()],
    'GET /api/admin/posts': [],
    'POST /api/admin/community/posts/p1/keep': () => keepResponse.promise,
  })
  await renderWithProviders(<CommunityTab />)
  const keep = await screen.findByRole('button', { name: 'Keep' })
  fireEvent.click(keep)
  await waitFor(() => expect(keep.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(keep)
  await act(async () => keepResponse.resolve(noContent()))
  await waitFor(() => expect(toastText()).toBe('plain | Post kept | '))
  expect(sent.filter((request) => request.startsWith('POST'))).toHaveLength(1)
})

test('shows ten posts, then more', async () => {
  const posts = Array.from({ length: 12 }, (_, n) => buildReportedPost({ id: `p${n}`, author: `fan-${n}` }))
  mockFetch({ 'GET /api/admin/community/posts': posts, 'GET /api/admin/posts': [] })
  await renderWithProviders(<CommunityTab />)
  expect(await screen.findAllByRole('article')).toHaveLength(10)
  fireEvent.click(screen.getByRole('button', { name: 'More posts' }))
  expect(screen.getAllByRole('article')).toHaveLength(12)
  expect(screen.queryByRole('button', { name: 'More posts' })).toBeNull()
})

test('loads older posts, and removes and restores an exclusive post', async () => {
  const post = { id: 't1', title: 'Demo tape', tier: 'gold', createdAt: '2026-11-20T12:00:00Z', text: 'Too early.' }
  let isPublished = true
  const { sent } = mockFetch({
    'GET /api/admin/community/posts': () =>
      Response.json([buildReportedPost()], {
        headers: { link: '</api/admin/community/posts?cursor=2.7.p1>; rel="next"' },
      }),
    'GET /api/admin/community/posts?cursor=2.7.p1': [buildReportedPost({ id: 'old', text: 'The oldest', reports: 0 })],
    'GET /api/admin/posts': () => Response.json(isPublished ? [post] : []),
    'DELETE /api/admin/posts/t1': () => {
      isPublished = false
      return noContent()
    },
    'POST /api/admin/posts/t1/restore': () => {
      isPublished = true
      return noContent()
    },
  })
  await renderWithProviders(
    <>
      <CommunityTab />
      <PostsTab />
      <Toaster />
    </>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'More posts' }))
  expect(await screen.findByText('The oldest')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'More posts' })).toBeNull()
  fireEvent.click(await screen.findByRole('button', { name: 'Unpublish Demo tape' }))
  expect(await screen.findByText('No posts yet.')).toBeTruthy()
  expect(toastText()).toBe('plain | Unpublished | Demo tape is off the site.')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Too early.')).toBeTruthy()
  expect(sent).toContain('POST /api/admin/posts/t1/restore')
})

test('edits an exclusive post and restores a removed one', async () => {
  const common = { tier: 'silver', createdAt: '2026-11-20T12:00:00Z' }
  let posts = [{ id: 't1', title: 'Demo tpae', text: 'As it was.', ...common }]
  let removedPosts = [{ id: 't0', title: 'Liner notes', text: 'From before.', ...common }]
  const { sent } = mockFetch({
    'GET /api/admin/community/posts': [],
    'GET /api/admin/posts': () => Response.json(posts),
    'GET /api/admin/taken-down-posts': () => Response.json(removedPosts),
    'PATCH /api/admin/posts/t1': async (request: Request) => {
      posts = [{ ...posts[0], ...(await request.json()) } as (typeof posts)[number]]
      return noContent()
    },
    'POST /api/admin/posts/t0/restore': () => {
      posts = [...posts, ...removedPosts]
      removedPosts = []
      return noContent()
    },
  })
  await renderWithProviders(<PostsTab />)
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Demo tpae' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect((dialog.getByLabelText('Post') as HTMLTextAreaElement).value).toBe('As it was.')
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'Demo tape' } })
  fireEvent.change(dialog.getByLabelText('For'), { target: { value: 'gold' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('button', { name: 'Edit Demo tape' })).toBeTruthy()
  expect(sent).toContain('PATCH /api/admin/posts/t1 {"title":"Demo tape","text":"As it was.","tier":"gold"}')
  fireEvent.click(screen.getByRole('button', { name: 'Republish Liner notes' }))
  expect(await screen.findByRole('button', { name: 'Unpublish Liner notes' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Unpublished' })).toBeNull()
  expect(toastText()).toBe('plain | Republished | Liner notes is on the site again.')
})

test('hides a post only with a reason', async () => {
  const { sent } = mockFetch({
    'GET /api/admin/community/posts': [buildReportedPost()],
    'GET /api/admin/posts': [],
    'POST /api/admin/community/posts/p1/hide': noContent,
  })
  await renderWithProviders(<CommunityTab />)
  expect(await screen.findByText('2 reports')).toBeTruthy()
  expect(screen.getByText('Reported for: Spam')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Hide' }))
  expect(await dialog.findByText('Please say why.')).toBeTruthy()
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Spam' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Hide' }))
  await waitFor(() => expect(toastText()).toBe('plain | Post hidden | '))
  expect(sent).toContain('POST /api/admin/community/posts/p1/hide {"reason":"Spam"}')
})

test('suspending an author warns that images stay public', async () => {
  mockFetch({ 'GET /api/admin/community/posts': [buildReportedPost()], 'GET /api/admin/posts': [] })
  await renderWithProviders(<CommunityTab />)
  fireEvent.click(await screen.findByRole('button', { name: /^Suspend/ }))
  expect((await screen.findByRole('dialog')).textContent).toContain('Anyone with the link can still open the pictures')
})

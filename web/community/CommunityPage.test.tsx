import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Post } from '../../worker/contract/community'
import { useMe } from '../auth/auth.queries'
import {
  errorResponse,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  toastText,
} from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { CommunityPage } from './CommunityPage'
import { ExclusivePosts } from './ExclusivePosts'
import { LatestPosts } from './LatestPosts'
import { LinkedText } from './PostBody'

const buildPost = (changes: Partial<Post> = {}): Post => ({
  id: 'p1',
  author: 'bay_runner',
  text: 'What a night.',
  picture: null,
  preview: null,
  createdAt: '2026-11-20T12:00:00Z',
  likes: 2,
  liked: false,
  mine: false,
  ...changes,
})
const buildResponses = (changes: MockResponses = {}): MockResponses => ({
  'GET /api/auth/status': buildSupporter(),
  'GET /api/community/posts': [buildPost()],
  'GET /api/community/hidden': [],
  ...changes,
})

test('asks visitors to log in to post, like and report', async () => {
  const { sent } = mockFetch(buildResponses({ 'GET /api/auth/status': null }))
  await renderWithProviders(<CommunityPage />)
  expect(await screen.findByText('What a night.')).toBeTruthy()
  expect(await screen.findByRole('link', { name: 'Log in to post' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^Like the post by bay_runner/ }))
  expect(toastText()).toBe('destructive | Login required | Please sign up or login to join in')
  fireEvent.click(screen.getByRole('button', { name: 'Report the post by bay_runner' }))
  expect(toastText()).toBe('destructive | Login required | Please sign up or log in to report a post')
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([])
})

test('creates a post and keeps its text after an error', async () => {
  let isRateLimited = true
  const { sent } = mockFetch(
    buildResponses({
      'POST /api/community/posts': () =>
        isRateLimited
          ? errorResponse(429, 'rate_limited', 'You can post 10 times a day.')
          : Response.json({ id: 'p2', pointsAwarded: 15, totalPoints: 15, missions: [] }),
    }),
  )
  await renderWithProviders(<CommunityPage />)
  const field = (await screen.findByLabelText('Your post')) as HTMLTextAreaElement
  fireEvent.click(screen.getByRole('button', { name: 'Post' }))
  expect(await screen.findByText('Please write something first.')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  expect(screen.getByText(/^\+15 points, 3 times a day\./)).toBeTruthy()
  field.blur()
  fireEvent.change(field, { target: { value: 'Gold forever' } })
  fireEvent.click(screen.getByRole('button', { name: 'Post' }))
  expect(await screen.findByText('You can post 10 times a day.')).toBeTruthy()
  expect(field.value).toBe('Gold forever')
  expect(document.activeElement).toBe(field)
  isRateLimited = false
  fireEvent.click(screen.getByRole('button', { name: 'Post' }))
  await waitFor(() => expect(toastText()).toBe('plain | Posted! | +15 points earned'))
  expect(field.value).toBe('')
  expect(sent).toContain('POST /api/community/posts {"text":"Gold forever"}')
})

test('a supporter likes a post and removes one of theirs', async () => {
  const { sent } = mockFetch(
    buildResponses({
      'GET /api/community/posts': [buildPost(), buildPost({ id: 'p2', author: 'me', mine: true })],
      'POST /api/community/posts/p1/like': { likes: 3, liked: true },
      'DELETE /api/community/posts/p2': noContent,
    }),
  )
  await renderWithProviders(<CommunityPage />)
  fireEvent.click(await screen.findByRole('button', { name: 'Like the post by bay_runner, likes: 2' }))
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Like the post by bay_runner, likes: 3', pressed: true })).toBeTruthy(),
  )
  const myPost = within(screen.getByRole('article', { name: 'Post by me' }))
  expect(myPost.queryByRole('button', { name: /Report/ })).toBeNull()
  fireEvent.click(myPost.getByRole('button', { name: 'Remove' }))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(toastText()).toBe('plain | Post removed | '))
  expect(sent).toContain('DELETE /api/community/posts/p2')
})

test('renders images with their size and link previews as text', async () => {
  const picture = { url: '/media/uploads/up_a', alt: 'A stage', width: 1200, height: 900 }
  const preview = {
    url: 'https://songs.example/a',
    title: '<img src=x onerror=alert(1)>',
    description: '</a><script>alert(2)</script>',
    site: 'bank.example',
  }
  mockFetch(buildResponses({ 'GET /api/community/posts': [buildPost({ picture, preview })] }))
  await renderWithProviders(<CommunityPage />)
  const image = await screen.findByRole('img', { name: 'A stage' })
  expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['1200', '900'])
  // One file for every screen size, so that admins see what all users see.
  expect([image.getAttribute('src'), image.getAttribute('srcset')]).toEqual([picture.url, null])
  const link = screen.getByRole('link', { name: /songs\.example/ })
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([preview.url, 'nofollow ugc noreferrer'])
  expect(link.textContent).toBe(`songs.example · ${preview.site}${preview.title}${preview.description}`)
  expect(document.querySelectorAll('article img')).toHaveLength(1)
  expect(document.querySelectorAll('article script')).toHaveLength(0)
})

test('shows twelve posts, then loads more', async () => {
  const posts = Array.from({ length: 14 }, (_, n) => buildPost({ id: `p${n}`, text: `Post number ${n}` }))
  mockFetch(
    buildResponses({
      'GET /api/community/posts': () =>
        Response.json(posts, { headers: { link: '</api/community/posts?cursor=7.p7>; rel="next"' } }),
      'GET /api/community/posts?cursor=7.p7': [buildPost({ id: 'old', text: 'The oldest' })],
    }),
  )
  await renderWithProviders(<CommunityPage />)
  expect(await screen.findAllByRole('article')).toHaveLength(12)
  fireEvent.click(screen.getByRole('button', { name: 'More posts' }))
  expect(await screen.findByText('The oldest')).toBeTruthy()
  expect(screen.getAllByRole('article')).toHaveLength(15)
  expect(screen.queryByRole('button', { name: 'More posts' })).toBeNull()
})

test('links only web addresses and shows their host', () => {
  const text =
    'See https://songs.example/a?b=1. (http://x.example) javascript:alert(1) <a href="https://no.example">x</a> https://bank.example@evil.example/'
  render(
    <p data-testid="text">
      <LinkedText text={text} />
    </p>,
  )
  const element = screen.getByTestId('text')
  const links = [...element.querySelectorAll('a')]
  expect(links.map((link) => [link.textContent, link.href])).toEqual([
    ['songs.example', 'https://songs.example/a?b=1'],
    ['x.example', 'http://x.example/'],
    ['no.example', 'https://no.example/'],
  ])
  expect(links.every((link) => link.rel === 'nofollow ugc noreferrer' && link.target === '_blank')).toBe(true)
  expect(element.querySelectorAll('*')).toHaveLength(3)
  expect(element.textContent).toContain('https://bank.example@evil.example/')
})

test('locks posts above the supporter’s tier', async () => {
  const locked = { id: 'a', title: 'Demo tape', tier: 'gold', createdAt: '2026-11-20T12:00:00Z', text: null }
  const readable = { ...locked, id: 'b', title: 'Liner notes', tier: 'silver', text: 'We recorded it twice.' }
  mockFetch({ 'GET /api/community/exclusive': [locked, readable] })
  await renderWithProviders(<ExclusivePosts tier="silver" />)
  expect(await screen.findByText('We recorded it twice.')).toBeTruthy()
  expect(screen.getByText('Gold Tier Required')).toBeTruthy()
  expect(screen.queryByText('Premium Content Coming Soon')).toBeNull()
})

test('shows a hidden post’s reason until dismissed', async () => {
  const hidden = {
    id: 'h1',
    text: 'An insult',
    reason: 'Insults a supporter',
    createdAt: '2026-11-20T12:00:00Z',
    hiddenAt: '2026-11-20T13:00:00Z',
  }
  let isHidden = true
  const { sent } = mockFetch(
    buildResponses({
      'GET /api/community/hidden': () => Response.json(isHidden ? [hidden] : []),
      'DELETE /api/community/posts/h1': () => {
        isHidden = false
        return noContent()
      },
    }),
  )
  await renderWithProviders(<CommunityPage />)
  const hiddenPosts = within(await screen.findByRole('region', { name: 'Your hidden posts' }))
  expect(hiddenPosts.getByRole('heading').textContent).toMatch(/^Your post from .+ was hidden$/)
  expect(hiddenPosts.getByText('Why: Insults a supporter')).toBeTruthy()
  expect(hiddenPosts.getByText('An insult')).toBeTruthy()
  fireEvent.click(hiddenPosts.getByRole('button', { name: 'Dismiss the notice' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Your hidden posts' })).toBeNull())
  expect(sent).toContain('DELETE /api/community/posts/h1')
})

test('sends a report and keeps its reason after an error', async () => {
  let isDown = true
  const { sent } = mockFetch(
    buildResponses({
      'POST /api/community/posts/p1/report': () =>
        isDown ? new Response('We are away for a moment.', { status: 503 }) : new Response(null, { status: 202 }),
    }),
  )
  await renderWithProviders(<CommunityPage />)
  fireEvent.click(await screen.findByRole('button', { name: 'Report the post by bay_runner' }))
  const dialog = within(await screen.findByRole('dialog'))
  const field = dialog.getByLabelText('What is wrong with it?') as HTMLInputElement
  fireEvent.change(field, { target: { value: 'Sells fake tickets' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Report' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('We are away for a moment.')
  expect(field.value).toBe('Sells fake tickets')
  isDown = false
  fireEvent.click(dialog.getByRole('button', { name: 'Report' }))
  await waitFor(() => expect(toastText()).toBe('plain | Reported | Thank you. The team will look at it.'))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sent.at(-1)).toBe('POST /api/community/posts/p1/report {"reason":"Sells fake tickets"}')
})

test('keeps the keyboard focus after a like, removal and dismissal', async () => {
  let posts = [buildPost(), buildPost({ id: 'p2', author: 'me', mine: true })]
  let hidden = [
    { id: 'h1', text: 'x', reason: 'y', createdAt: '2026-11-20T12:00:00Z', hiddenAt: '2026-11-20T13:00:00Z' },
  ]
  const likeResponse = Promise.withResolvers<Response>()
  const { sent } = mockFetch(
    buildResponses({
      'GET /api/community/posts': () => Response.json(posts),
      'GET /api/community/hidden': () => Response.json(hidden),
      'POST /api/community/posts/p1/like': () => likeResponse.promise,
      'DELETE /api/community/posts/p2': () => {
        posts = posts.slice(0, 1)
        return noContent()
      },
      'DELETE /api/community/posts/h1': () => {
        hidden = []
        return noContent()
      },
    }),
  )
  await renderWithProviders(<CommunityPage />)
  const page = screen.getByRole('main')
  const like = await screen.findByRole('button', { name: 'Like the post by bay_runner, likes: 2' })
  like.focus()
  fireEvent.click(like)
  await waitFor(() => expect(like.getAttribute('aria-disabled')).toBe('true'))
  expect(like.hasAttribute('disabled')).toBe(false)
  fireEvent.click(like)
  await act(async () => likeResponse.resolve(Response.json({ likes: 3, liked: true })))
  expect(document.activeElement).toBe(like)
  expect(sent.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  const remove = screen.getByRole('button', { name: 'Remove' })
  remove.focus()
  fireEvent.click(remove)
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(document.activeElement).toBe(page))
  expect(screen.queryByRole('article', { name: 'Post by me' })).toBeNull()
  expect(toastText()).toBe('plain | Post removed | ')
  const dismiss = await screen.findByRole('button', { name: 'Dismiss the notice' })
  dismiss.focus()
  fireEvent.click(dismiss)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Dismiss the notice' })).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(page))
})

test('removes a post once after two presses', async () => {
  const deleteResponse = Promise.withResolvers<Response>()
  const { sent } = mockFetch(
    buildResponses({
      'GET /api/community/posts': [buildPost({ mine: true })],
      'DELETE /api/community/posts/p1': () => deleteResponse.promise,
    }),
  )
  await renderWithProviders(<CommunityPage />)
  fireEvent.click(await screen.findByRole('button', { name: 'Remove' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Remove' }))
  fireEvent.click(await dialog.findByRole('button', { name: 'One moment' }))
  await act(async () => deleteResponse.resolve(noContent()))
  await waitFor(() => expect(toastText()).toBe('plain | Post removed | '))
  expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(1)
})

test('does not request hidden posts for a visitor', async () => {
  const { sent } = mockFetch(buildResponses({ 'GET /api/auth/status': null }))
  await renderWithProviders(<CommunityPage />)
  expect(await screen.findByText('What a night.')).toBeTruthy()
  expect(sent).not.toContain('GET /api/community/hidden')
})

const mockPosts = (posts: unknown) =>
  mockFetch({ 'GET /api/auth/status': buildSupporter(), 'GET /api/community/posts': posts })

test('without posts, links to the post form', async () => {
  mockPosts([])
  await renderWithProviders(<LatestPosts />)
  expect(await screen.findByText('No posts yet. Be the first to write one.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Join the conversation' }).getAttribute('href')).toBe('/community')
})

test('shows an error and retries', async () => {
  let isDown = true
  mockPosts(() =>
    isDown ? new Response('Down.', { status: 503 }) : Response.json([buildPost({ text: 'Post number 1' })]),
  )
  await renderWithProviders(<LatestPosts />)
  expect(await screen.findByText('The posts could not be loaded.')).toBeTruthy()
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: /again|retry/i }))
  expect(await screen.findByText('Post number 1')).toBeTruthy()
  expect(screen.queryByText('The posts could not be loaded.')).toBeNull()
})

test('shows the two latest posts on the home page', async () => {
  mockPosts([1, 2, 3, 4].map((n) => buildPost({ id: `p${n}` })))
  await renderWithProviders(<LatestPosts />)
  expect(await screen.findAllByRole('article')).toHaveLength(2)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a member sees no lock before the first exclusive post', async () => {
  mockFetch({ 'GET /api/community/exclusive': [] })
  await renderWithProviders(<ExclusivePosts tier="gold" />)
  expect(await screen.findByText('Included in your Gold tier')).toBeDefined()
  expect(screen.queryByText('Silver/Gold Tier Required')).toBeNull()
  expect(screen.queryByRole('link', { name: 'See the tiers' })).toBeNull()
})

test('announces upcoming content only for an empty list', async () => {
  let respond = (_: Response) => {}
  mockFetch({ 'GET /api/community/exclusive': () => new Promise<Response>((resolve) => (respond = resolve)) })
  await renderWithProviders(<ExclusivePosts tier="gold" />)
  expect(await screen.findByText('Loading the member posts')).toBeDefined()
  expect(screen.queryByText('Premium Content Coming Soon')).toBeNull()
  respond(new Response('Down.', { status: 500 }))
  expect(await screen.findByText('The member posts could not be loaded.')).toBeDefined()
  expect(screen.queryByText('Premium Content Coming Soon')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await act(async () => respond(Response.json([])))
  expect(await screen.findByText('Premium Content Coming Soon')).toBeDefined()
})

function ExclusiveAndCommunity() {
  return (
    <>
      {useMe() && <ExclusivePosts tier="gold" />}
      <CommunityPage />
    </>
  )
}

test('a session ended elsewhere removes exclusive posts from memory', async () => {
  const text = 'Only gold reads this.'
  const createdAt = '2026-11-20T12:00:00Z'
  let me: unknown = buildSupporter({ tier: 'gold' })
  mockFetch({
    'GET /api/auth/status': () => Response.json(me),
    'GET /api/community/exclusive': [{ id: 'g1', title: 'Gold', tier: 'gold', createdAt, text }],
    'GET /api/community/hidden': [],
    'GET /api/community/posts': () => Response.json([buildPost({ mine: me !== null })]),
    'POST /api/community/posts/p1/like': () => errorResponse(401, 'signed_out', 'Please log in.'),
  })
  const { queryClient } = await renderWithProviders(<ExclusiveAndCommunity />)
  expect(await screen.findByText(text)).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Remove' })).toBeDefined()
  me = null
  fireEvent.click(screen.getByRole('button', { name: /^Like the post/ }))
  expect(await screen.findByRole('button', { name: /^Report/ })).toBeDefined()
  expect(screen.queryByText(text)).toBeNull()
  const cached = queryClient.getQueryCache().getAll()
  expect(JSON.stringify(cached.map(({ state }) => state.data))).not.toContain(text)
})

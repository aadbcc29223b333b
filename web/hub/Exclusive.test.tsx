import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useMe } from '../auth/auth.queries'
import { Community } from '../community/Community'
import { ExclusivePosts } from '../community/ExclusivePosts'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'

test('nobody is told that content is to come while it is fetched, or where it cannot be', async () => {
  let response = (_: Response) => {}
  mockFetch({ 'GET /api/community/exclusive': () => new Promise<Response>((resolve) => (response = resolve)) })
  await renderWithProviders(<ExclusivePosts tier="gold" />)
  expect(await screen.findByText('Fetching the posts for the tiers')).toBeDefined()
  expect(screen.queryByText('Premium Content Coming Soon')).toBeNull()
  response(new Response('Down.', { status: 500 }))
  expect(await screen.findByText('The posts for the tiers could not be fetched.')).toBeDefined()
  expect(screen.queryByText('Premium Content Coming Soon')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await act(async () => response(Response.json([])))
  expect(await screen.findByText('Premium Content Coming Soon')).toBeDefined()
})

function Screen() {
  return (
    <>
      {useMe() && <ExclusivePosts tier="gold" />}
      <Community />
    </>
  )
}

test('who was logged out elsewhere leaves no word of a gold post behind, on the screen or in memory', async () => {
  const words = 'Only gold reads this.'
  const createdAt = '2026-11-20T12:00:00Z'
  const post = { id: 'p1', author: 'me', text: 'Mine', picture: null, preview: null, createdAt, likes: 0, liked: false }
  let me: unknown = buildSupporter({ tier: 'gold' })
  mockFetch({
    'GET /api/auth/status': () => Response.json(me),
    'GET /api/community/exclusive': [{ id: 'g1', title: 'Gold', tier: 'gold', createdAt, text: words }],
    'GET /api/community/hidden': [],
    'GET /api/community/posts': () => Response.json([{ ...post, mine: me !== null }]),
    'POST /api/community/posts/p1/like': () =>
      new Response('Please log in.', { status: 401, headers: { 'x-error-code': 'signed_out' } }),
  })
  const { queries } = await renderWithProviders(<Screen />)
  expect(await screen.findByText(words)).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Remove' })).toBeDefined()
  me = null
  fireEvent.click(screen.getByRole('button', { name: /^Like the post/ }))
  expect(await screen.findByRole('button', { name: /^Report/ })).toBeDefined()
  expect(screen.queryByText(words)).toBeNull()
  const left = queries.getQueryCache().getAll()
  expect(JSON.stringify(left.map(({ state }) => state.data))).not.toContain(words)
})

import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Post } from '../../worker/contract/community'
import { LatestPosts } from '../community/LatestPosts'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'

const post = (n: number): Post => ({
  id: `p${n}`,
  author: 'bay_runner',
  text: `Post number ${n}`,
  picture: null,
  preview: null,
  createdAt: '2026-11-20T12:00:00Z',
  likes: 0,
  liked: false,
  mine: false,
})
const response = (posts: unknown) =>
  mockFetch({ 'GET /api/auth/status': buildSupporter(), 'GET /api/community/posts': posts })

test('where nobody has posted the hub says so, and leads to where the first word is written', async () => {
  response([])
  await renderWithProviders(<LatestPosts />)
  expect(await screen.findByText('Nobody has posted yet. The first word is yours.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Write a post' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'All posts' })).toBeNull()
})

test('posts that cannot be fetched are a sentence and a way to try again', async () => {
  let isDown = true
  response(() => (isDown ? new Response('Down.', { status: 503 }) : Response.json([post(1)])))
  await renderWithProviders(<LatestPosts />)
  expect(await screen.findByText('The posts could not be fetched.')).toBeTruthy()
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: /again|retry/i }))
  expect(await screen.findByText('Post number 1')).toBeTruthy()
  expect(screen.queryByText('The posts could not be fetched.')).toBeNull()
})

test('the hub shows the three latest and the way to all', async () => {
  response([1, 2, 3, 4].map(post))
  await renderWithProviders(<LatestPosts />)
  expect(await screen.findAllByRole('article')).toHaveLength(3)
  expect(screen.getByRole('link', { name: 'All posts' })).toBeTruthy()
})

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { act } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import type { PageData } from '../worker/contract/pages'
import { ANONYMOUS_DATA_UPDATED_AT, authStatus } from './auth/auth.queries'
import { newQueries } from './queries'
import { render } from './render'
import { newRouter } from './routes'
import { buildChallenge } from './testing/challenge.fixture'
import { buildProduct } from './testing/product.fixture'
import { buildRelease } from './testing/release.fixture'
import { mockFetch } from './testing/render'
import { buildShow } from './testing/show.fixture'
import { buildShowPage } from './testing/show-page.fixture'
import { buildSite } from './testing/site.fixture'
import { buildSupporter } from './testing/supporter.fixture'
import { buildTrack } from './testing/track.fixture'

const data: PageData = {
  config: buildSite(),
  tracks: [buildTrack({ id: 1, title: 'First' }), buildTrack({ id: 2, title: 'Second' })],
  products: [buildProduct()],
  upcoming: [buildShow()],
  concerts: [buildShow({ id: 'pier' }), buildShow()],
  polls: [
    {
      id: 'p',
      title: 'Which?',
      description: '',
      endDate: '2030-01-01T00:00:00.000Z',
      options: [
        { id: 'a', title: 'A', voteCount: null },
        { id: 'b', title: 'B', voteCount: null },
      ],
      userVote: null,
    },
  ],
  leaderboard: { entries: [{ rank: 1, username: 'fan', points: 10 }], me: null },
  missions: [
    {
      id: 'm',
      title: 'Vote',
      description: 'Vote.',
      points: 5,
      progress: 0,
      target: 1,
      completed: false,
      takenBack: false,
      action: 'poll_vote',
    },
  ],
  challenge: null,
  challengeState: 'submissions',
  show: buildShowPage({ id: 'quay' }),
  releases: [buildRelease()],
  release: buildRelease(),
  currentChallenge: buildChallenge(),
  challengeById: buildChallenge(),
  // Far from this browser's clock: hydration must use the server's time.
  hydrationTime: 0,
}

const COMMUNITY = ['/hub', '/hub/missions', '/community']
const MERCH = ['/merch', '/merch/hoodie']
const MUSIC = ['/music', '/music/a-record', '/music/a-record/first-light', '/music/announced']
const { tracks: _, ...announced } = buildRelease({ slug: 'announced' })

test.each([
  '/',
  '/subscribe',
  '/privacy-policy',
  '/login',
  '/signup?ref=FRIEND&return=/hub',
  '/shows',
  '/shows/quay',
  '/challenge',
  '/challenge/bars',
  ...COMMUNITY,
  ...MERCH,
  ...MUSIC,
])('hydrates %s without errors', async (path) => {
  await expectHydration(path)
})

test.each(['/', '/subscribe', ...COMMUNITY])('hydrates %s of a visitor without errors', async (path) => {
  await expectHydration(path, { isVisitor: true })
})

async function expectHydration(path: string, more: Partial<PageData> = {}): Promise<void> {
  // The session loads before hydration ends.
  mockFetch({ 'GET /api/auth/status': buildSupporter() })
  history.replaceState(null, '', path)
  const { html, state } = await render(path.split('?')[0] as string, {
    ...data,
    ...(path === '/music/announced' && { release: announced }),
    ...more,
  })
  const root = document.createElement('div')
  document.body.replaceChildren(root)
  root.innerHTML = html
  const queries = newQueries()
  for (const [key, response] of state) queries.setQueryData(key, response, { updatedAt: ANONYMOUS_DATA_UPDATED_AT })
  const router = newRouter(queries)
  router.ssr = { manifest: undefined }
  await router.load()
  await queries.ensureQueryData(authStatus)
  // The fragment with a scanned code is not sent to the server.
  if (path === '/shows/quay') history.replaceState(null, '', `${path}#code=123456`)
  const errors: unknown[] = []
  const app = await act(async () =>
    hydrateRoot(
      root,
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
      { onRecoverableError: (error) => errors.push(error) },
    ),
  )
  expect(errors).toEqual([])
  // A mounted app would follow the next test's URL.
  act(() => app.unmount())
}

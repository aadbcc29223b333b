import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { act, within } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import type { PageData } from '../worker/contract/pages'
import { sessionQuery } from './auth/auth.queries'
import { hydrateQueries, newQueryClient } from './query-client'
import { render } from './render'
import { newRouter } from './routes'
import { buildChallenge } from './testing/challenge.fixture'
import { buildMission } from './testing/mission.fixture'
import { buildPoll } from './testing/poll.fixture'
import { buildProduct } from './testing/product.fixture'
import { buildRelease } from './testing/release.fixture'
import { mockFetch } from './testing/render'
import { buildShow } from './testing/show.fixture'
import { buildShowPage } from './testing/show-page.fixture'
import { buildSite } from './testing/site.fixture'
import { buildSupporter } from './testing/supporter.fixture'
import { buildTrack } from './testing/track.fixture'
import { allTracks } from './tracks/tracks.queries'

const pageData: PageData = {
  config: buildSite(),
  tracks: [buildTrack({ id: 1, title: 'First' }), buildTrack({ id: 2, title: 'Second' })],
  products: [buildProduct()],
  physicalProducts: [buildProduct()],
  upcomingConcerts: [buildShow()],
  concerts: [buildShow({ id: 'pier' }), buildShow()],
  polls: [buildPoll({ endDate: '2030-01-01T00:00:00.000Z' })],
  leaderboard: { entries: [{ rank: 1, username: 'fan', points: 10 }], me: null },
  missions: [buildMission()],
  latestResult: null,
  challengeState: 'submissions',
  show: buildShowPage({ id: 'quay' }),
  releases: [buildRelease()],
  release: buildRelease(),
  currentChallenge: buildChallenge(),
  challengeById: buildChallenge(),
  // Far from this browser's clock: hydration must use the server's time.
  hydrationTime: 0,
}

const COMMUNITY_PATHS = ['/hub', '/hub/missions', '/community']
const MERCH_PATHS = ['/merch', '/merch/hoodie']
const MUSIC_PATHS = ['/music', '/music/a-record', '/music/a-record/first-light', '/music/announced']
const { tracks: _, ...announcedRelease } = buildRelease({ slug: 'announced' })

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
  ...COMMUNITY_PATHS,
  ...MERCH_PATHS,
  ...MUSIC_PATHS,
])('hydrates %s without errors', async (path) => {
  await expectHydration(path)
})

test.each(['/', '/subscribe', ...COMMUNITY_PATHS])(
  'hydrates %s rendered for a visitor, with a session',
  async (path) => {
    await expectHydration(path, { isVisitor: true })
  },
)

test('shows a like that completes before its button hydrates', async () => {
  const { root, errors, app } = await hydratePage('/', {}, (queryClient) =>
    queryClient.setQueryData(allTracks.queryKey, (tracks) => tracks?.map((track) => ({ ...track, liked: true }))),
  )
  const [like] = within(root).getAllByRole('button', { name: 'Like First' })
  expect([like?.getAttribute('aria-pressed'), errors]).toEqual(['true', []])
  act(() => app.unmount())
})

async function expectHydration(path: string, overrides: Partial<PageData> = {}): Promise<void> {
  const { errors, app } = await hydratePage(path, overrides)
  expect(errors).toEqual([])
  // If it stayed mounted, the app would react to the URL of the next test.
  act(() => app.unmount())
}

/** Hydrates the server's HTML of a page; `onReady` runs just before, when data and code are loaded. */
async function hydratePage(path: string, overrides: Partial<PageData>, onReady?: (queryClient: QueryClient) => void) {
  // The session loads before hydration ends.
  mockFetch({ 'GET /api/auth/status': buildSupporter() })
  history.replaceState(null, '', path)
  const { html, state } = await render(path.split('?')[0] as string, {
    ...pageData,
    ...(path === '/music/announced' && { release: announcedRelease }),
    ...overrides,
  })
  const root = document.createElement('div')
  document.body.replaceChildren(root)
  root.innerHTML = html
  const queryClient = newQueryClient()
  hydrateQueries(queryClient, state)
  const router = newRouter(queryClient)
  router.ssr = { manifest: undefined }
  await router.load()
  await queryClient.ensureQueryData(sessionQuery)
  // The fragment with a scanned code is not sent to the server.
  if (path === '/shows/quay') history.replaceState(null, '', `${path}#code=123456`)
  onReady?.(queryClient)
  const errors: unknown[] = []
  const app = await act(async () =>
    hydrateRoot(
      root,
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
      { onRecoverableError: (error) => errors.push(error) },
    ),
  )
  return { root, errors, app }
}

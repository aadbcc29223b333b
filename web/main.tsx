import './styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { sessionQuery, VISITOR_PAGE_KEY } from './auth/auth.queries'
import { layOutBeforeJumps, layOutWhenIdle } from './layout/deferred-layout'
import { isStoredPage } from './offline/offline-support'
import { hydrateQueries, newQueryClient } from './query-client'
import type { DehydratedQueries } from './render'
import { newRouter } from './routes'
import { applyCurrency, siteConfig } from './site/site.queries'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')
layOutBeforeJumps()
void startApp(root)

/** Renders or hydrates the app in several tasks, because one long task would block input on a slow phone. */
async function startApp(container: HTMLElement): Promise<void> {
  await endTask()
  const queryClient = newQueryClient()
  const router = newRouter(queryClient)
  const app = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )

  /** JSON of a server-rendered page's queries; undefined on other pages. */
  const queriesJson = document.getElementById('state')?.textContent
  if (!queriesJson) {
    createRoot(container).render(app)
    return
  }
  await endTask()
  hydrateQueries(queryClient, JSON.parse(queriesJson) as DehydratedQueries)
  const config = queryClient.getQueryData(siteConfig.queryKey)
  if (config) applyCurrency(config)
  // A visitor's page proves that there is no session, unless the browser stored it before a login.
  if (queryClient.getQueryData(VISITOR_PAGE_KEY) && !isStoredPage())
    queryClient.setQueryData(sessionQuery.queryKey, null)
  // Otherwise the router adds a Suspense boundary that the HTML does not have (React error 418).
  router.ssr = { manifest: undefined }
  await endTask()
  // Hydration needs the page's lazy code.
  await router.load()
  await endTask()
  // In a transition, input can interrupt hydration.
  startTransition(() => void hydrateRoot(container, app))
  await layOutWhenIdle()
}

/** Lets the browser paint and handle input. */
function endTask(): Promise<void> {
  return globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))
}

import './styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { ANONYMOUS_DATA_UPDATED_AT } from './auth/auth.queries'
import { newQueries } from './queries'
import type { DehydratedQueries } from './render'
import { newRouter } from './routes'

const queries = newQueries()
const router = newRouter(queries)

const mount = document.getElementById('root')
if (!mount) throw new Error('The page holds no #root.')
const app = (
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)

/** What the worker knew when it drew this page stands in it; it drew none where there is nothing. */
const state = document.getElementById('state')?.textContent
if (state) {
  for (const [key, answer] of JSON.parse(state) as DehydratedQueries)
    queries.setQueryData(key, answer, { updatedAt: ANONYMOUS_DATA_UPDATED_AT })
  // Otherwise the router wraps its matches in a Suspense that the worker's HTML does not have: React error 418.
  router.ssr = { manifest: undefined }
  // The screen's own code has to be there before its HTML can be taken over, which is done in slices: the page is being
  // read and scrolled meanwhile, and what is pressed goes first.
  void router.load().then(() => startTransition(() => void hydrateRoot(mount, app)))
} else createRoot(mount).render(app)

import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { newQueries } from './queries'
import { newRouter } from './routes'

/** Answers that are known before rendering: what the page would ask for, by query key. */
export type Known = readonly (readonly [key: readonly unknown[], data: unknown])[]

/**
 * A page as HTML, from the same routes and components that run in the browser. Touches no window: a component that
 * does fails the tests that call this.
 */
export async function render(path: string, known: Known = []): Promise<string> {
  const queries = newQueries()
  for (const [key, data] of known) queries.setQueryData(key, data)
  const router = newRouter(queries, createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  return renderToString(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

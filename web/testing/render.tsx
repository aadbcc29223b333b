import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { newQueries } from '../queries'
import { newRouter } from '../routes'
import { useToasts } from '../ui/toast'

/** What the far side answers, by method and path: JSON with status 200, or a whole answer. */
export type MockResponses = Record<string, unknown | ((request: Request) => Response | Promise<Response>)>

/** Fakes the network at `fetch`; an unplanned request is a 404. Returns what was sent, in order. */
export function mockFetch(farSide: MockResponses): { sent: string[] } {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const request = new Request(new URL(path, 'https://fan.example'), init)
    const key = `${request.method} ${path}`
    sent.push(init?.body ? `${key} ${init.body}` : key)
    const response = farSide[key]
    if (typeof response === 'function') return response(request)
    return response === undefined ? new Response('There is nothing here.', { status: 404 }) : Response.json(response)
  })
  return { sent }
}

/** Shows a component inside the app's providers, at `path`. */
export async function renderWithProviders(ui: ReactNode, { path = '/', queries = newQueries() }: Options = {}) {
  const root = createRootRoute({
    component: () => (
      <>
        <Outlet />
        <ToastText />
      </>
    ),
  })
  const any = createRoute({ getParentRoute: () => root, path: '$', component: () => ui })
  const router = createRouter({
    routeTree: root.addChildren([any]),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  const view = await act(async () =>
    render(
      <QueryClientProvider client={queries}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>,
    ),
  )
  return { ...view, router, queries }
}

/** Opens the whole app at an address, as a browser would; `queries` holds what came with the page. Returns its router and what was sent. */
export async function renderApp(path: string, farSide: MockResponses, queries = newQueries()) {
  const far = mockFetch(farSide)
  window.history.replaceState(null, '', path)
  const router = newRouter(queries)
  await act(async () => {
    await router.load()
    render(
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
  })
  return { ...far, router, queries }
}

type Options = { path?: string; queries?: QueryClient }

/** The standing toast in plain text, without the viewport's code. */
function ToastText() {
  return (
    <div data-testid="toast">
      {useToasts()
        .filter((toast) => toast.open)
        .map(({ id, title, text, tone = 'plain' }) => (
          <p key={id}>{[tone, title, text].join(' | ')}</p>
        ))}
    </div>
  )
}

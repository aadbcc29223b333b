import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { newQueryClient } from '../query-client'
import { newRouter } from '../routes'
import { useToasts } from '../ui/toast'

/** Responses by method and path: a JSON body with status 200, or a function of the request. */
export type MockResponses = Record<string, unknown | ((request: Request) => Response | Promise<Response>)>

/** A response in the API's error format. */
export const errorResponse = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  new Response(message, { status, headers: { 'x-error-code': code, ...headers } })
export const noContent = () => new Response(null, { status: 204 })

/** Stubs `fetch`; paths without a response get 404. `sent` lists the requests in order, as `METHOD path body`. */
export function mockFetch(responses: MockResponses): { sent: string[] } {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const request = new Request(new URL(path, 'https://fan.example'), init)
    const key = `${request.method} ${path}`
    sent.push(init?.body ? `${key} ${init.body}` : key)
    const response = responses[key]
    if (typeof response === 'function') return response(request)
    return response === undefined ? new Response('There is nothing here.', { status: 404 }) : Response.json(response)
  })
  return { sent }
}

/** Renders a component inside the app's providers at `path`, with open toasts as text (see `toastText`). */
export async function renderWithProviders(ui: ReactNode, { path = '/', queryClient = newQueryClient() }: Options = {}) {
  const root = createRootRoute({
    component: () => (
      <>
        <Outlet />
        <ToastText />
      </>
    ),
  })
  const catchAllRoute = createRoute({ getParentRoute: () => root, path: '$', component: () => ui })
  const router = createRouter({
    routeTree: root.addChildren([catchAllRoute]),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  const view = await act(async () =>
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>,
    ),
  )
  return { ...view, router, queryClient }
}

/** Renders the whole app at `path`. `queryClient` may hold server-rendered data; `sent` is that of `mockFetch`. */
export async function renderApp(path: string, responses: MockResponses, queryClient = newQueryClient()) {
  const network = mockFetch(responses)
  window.history.replaceState(null, '', path)
  const router = newRouter(queryClient)
  await act(async () => {
    await router.load()
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
  })
  return { ...network, router, queryClient }
}

/** The open toast as `tone | title | text`, or ''. Only after `renderWithProviders`. */
export const toastText = () => screen.getByTestId('toast').textContent

export const changeField = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

/** Submits the form that contains the field. */
export const submitForm = (label: string) => fireEvent.submit(screen.getByLabelText(label).closest('form')!)

type Options = { path?: string; queryClient?: QueryClient }

/** Renders open toasts as text, without the lazy viewport. */
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

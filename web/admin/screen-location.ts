import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { findScreen, type ScreenId, screenById } from '../../worker/contract/admin-screens'

export type ScreenParams = Readonly<Record<string, string>>
export type ScreenSearch = Readonly<Record<string, string>>

/** Props of a link to a screen, for `Link` and `navigate`; `params` fill the screen's path. */
export function toScreen(
  screen: ScreenId,
  { params = {}, search = {} }: { params?: ScreenParams; search?: ScreenSearch } = {},
) {
  // The parameters are not encoded here, because the router encodes them.
  const path = screenById(screen).path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  if (path === '/admin') return { to: '/admin', search } as const
  return { to: '/admin/$', params: { _splat: path.slice('/admin/'.length) }, search } as const
}

/** The open screen and the parameters of its path; null outside the registered screens. */
export function useOpenScreen() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return findScreen(path)
}

/** A parameter of the open screen's path, such as `id`. */
export const useScreenParam = (name: string): string => decodeParam(useOpenScreen()?.params[name] ?? '')

/** The router leaves some characters of a path encoded, such as the colon. */
function decodeParam(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * The search parameters of the open screen, and a function that changes some; an empty text removes a parameter.
 * The change replaces the current history entry unless `push` is set.
 */
export function useScreenSearch() {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const search: ScreenSearch = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]))
  const setSearch = (changes: ScreenSearch, { push = false } = {}) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value !== ''))
    void navigate({ to: '.', search: next as never, replace: !push, resetScroll: false })
  }
  return [search, setSearch] as const
}

import { useRouterState } from '@tanstack/react-router'

/** The secret of the mailed link that opened this page; empty where there is none. */
export function useLinkToken(): string {
  return useRouterState({ select: ({ location }) => String((location.search as { token?: unknown }).token ?? '') })
}

import { returnPath } from '../../worker/contract/pages'

/** The address of the authentication screen: where to go afterwards, a friend's code, and what went wrong elsewhere. */
export type AuthSearch = { return?: string; ref?: string; error?: 'google' }

export function authSearch(search: Record<string, unknown>): AuthSearch {
  const back = returnPath(search.return)
  return {
    ...(back !== '/' && { return: back }),
    ...(typeof search.ref === 'string' && /^[\w-]{1,40}$/.test(search.ref) && { ref: search.ref }),
    ...(search.error === 'google' && { error: 'google' as const }),
  }
}

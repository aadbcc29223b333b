import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from './auth.queries'

/** What the worker drew for anybody and a supporter sees with their own likes, votes, place and progress. */
const PERSONALIZED_QUERIES = ['tracks', 'polls', 'leaderboard', 'missions']

/** Once it is known that a supporter looks at a page that was drawn for anybody, asks for what is theirs. */
export function useRefetchPersonalized(): void {
  const queries = useQueryClient()
  const isSupporter = Boolean(useMe())
  useEffect(() => {
    if (isSupporter)
      void queries.invalidateQueries({
        predicate: ({ queryKey: [name], state }) =>
          state.dataUpdatedAt === ANONYMOUS_DATA_UPDATED_AT && PERSONALIZED_QUERIES.includes(String(name)),
      })
  }, [isSupporter, queries])
}

/** The age of answers that came with the page: older than any that the browser asked for. */
export const ANONYMOUS_DATA_UPDATED_AT = 1

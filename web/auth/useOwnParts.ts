import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from './auth.queries'

/** What the worker drew for anybody and a supporter sees with their own likes, votes, place and progress. */
const OWN = ['tracks', 'polls', 'leaderboard', 'missions']

/** Once it is known that a supporter looks at a page that was drawn for anybody, asks for what is theirs. */
export function useOwnParts(): void {
  const queries = useQueryClient()
  const isSupporter = Boolean(useMe())
  useEffect(() => {
    if (isSupporter)
      void queries.invalidateQueries({
        predicate: ({ queryKey: [name], state }) => state.dataUpdatedAt === ANYBODYS && OWN.includes(String(name)),
      })
  }, [isSupporter, queries])
}

/** The age of answers that came with the page: older than any that the browser asked for. */
export const ANYBODYS = 1

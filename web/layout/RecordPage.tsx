import type { ReactNode } from 'react'
import { hasStatus } from '../api/call'
import { QueryBoundary, type QueryState } from '../ui/QueryBoundary'
import { NotFoundPage } from './ErrorPage'

type Props<Data> = {
  query: QueryState<Data> & { error: Error | null }
  /** True if the loaded data does not contain the record: shows the 404 page. */
  isMissing?: boolean
  /** Name of the record in messages, such as 'release'. */
  noun: string
  children: (data: Data) => ReactNode
}

/** The page of one release, track or product. */
export function RecordPage<Data>({ query, isMissing = false, noun, children }: Props<Data>) {
  if (isMissing || hasStatus(query.error, 404)) return <NotFoundPage />
  return (
    <main id="content" tabIndex={-1} className="release-page">
      <QueryBoundary
        query={query}
        loading={{ className: 'h-[60rem]', label: `Loading the ${noun}` }}
        error={`The ${noun} could not be loaded.`}
        errorClassName="page-grid py-16"
      >
        {children}
      </QueryBoundary>
    </main>
  )
}

import type { ReactNode } from 'react'
import { LoadError } from './LoadError'
import { Skeleton } from './Skeleton'

type Props<Data> = {
  query: { data: Data | undefined; isError: boolean; isFetching: boolean; refetch: () => Promise<unknown> }
  /** Skeleton in the size of the data: its class and spoken label, or elements of your own. */
  loading: { className: string; label: string } | ReactNode
  /** One sentence: 'The posts could not be fetched.' */
  error: string
  /** Class of a block around the error, such as its column in a grid. */
  errorClassName?: string
  children: (data: Data) => ReactNode
}

/**
 * Renders a query: its data as soon as there is some (also while or after a refetch fails), an error with a retry
 * button, or a loading skeleton.
 */
export function QueryBoundary<Data>({ query, loading, error, errorClassName, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return isSkeletonSize(loading) ? <Skeleton {...loading} /> : loading
  const loadError = (
    <LoadError onRetry={() => void query.refetch()} retrying={query.isFetching}>
      {error}
    </LoadError>
  )
  return errorClassName ? <div className={errorClassName}>{loadError}</div> : loadError
}

const isSkeletonSize = (loading: Props<unknown>['loading']): loading is { className: string; label: string } =>
  typeof loading === 'object' && loading !== null && 'label' in loading

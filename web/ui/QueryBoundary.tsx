import type { ReactNode } from 'react'
import { LoadError } from './LoadError'
import { Skeleton } from './Skeleton'

export type QueryState<Data> = {
  data: Data | undefined
  isError: boolean
  isFetching: boolean
  refetch: () => Promise<unknown>
}

type Props<Data> = {
  query: QueryState<Data>
  /** Props of a skeleton, whose class sets the size of the content; or elements to show while loading. */
  loading: { className: string; label: string } | ReactNode
  /** One sentence, for example 'The posts could not be loaded.' */
  error: string
  /** Class of the element around the error, such as its grid column. */
  errorClassName?: string
  children: (data: Data) => ReactNode
}

/**
 * Renders a query's data, which remains after a failed refetch; else an error with a retry button or a loading
 * skeleton.
 */
export function QueryBoundary<Data>({ query, loading, error, errorClassName, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return isSkeletonProps(loading) ? <Skeleton {...loading} /> : loading
  const loadError = (
    <LoadError onRetry={() => void query.refetch()} retrying={query.isFetching}>
      {error}
    </LoadError>
  )
  return errorClassName ? <div className={errorClassName}>{loadError}</div> : loadError
}

const isSkeletonProps = (loading: Props<unknown>['loading']): loading is { className: string; label: string } =>
  typeof loading === 'object' && loading !== null && 'label' in loading

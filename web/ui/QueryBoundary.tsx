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
  /** Class (with the data's size) and screen reader label of a skeleton, or elements to show instead. */
  loading: { className: string; label: string } | ReactNode
  /** One sentence, for example 'The posts could not be loaded.' */
  error: string
  /** Class of a block around the error, such as its column in a grid. */
  errorClassName?: string
  children: (data: Data) => ReactNode
}

/**
 * Renders a query's data if there is any (also when a refetch fails), else an error with a retry button or a loading
 * skeleton.
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

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../worker/contract/endpoint'
import { call, callPage, type Input } from '../api/call'
import { toast, toastError } from '../ui/toast'

/** A query of the dashboard with the key `['admin', ...key]`, which is refetched on every visit. */
export const adminQuery = <Path extends string, Data>(
  key: string | readonly string[],
  endpoint: Endpoint<Path, null, z.ZodMiniType<Data>>,
) =>
  queryOptions({
    queryKey: ['admin', ...(typeof key === 'string' ? [key] : key)],
    queryFn: () => call(endpoint, {} as never) as Promise<Data>,
    staleTime: 0,
  })

/** Reads all pages of a list, from the page with the query string `search` on. */
export async function readAllRows<Path extends string, Row>(
  endpoint: Endpoint<Path, null, z.ZodMiniType<Row[]>>,
  input: Input<Path, null>,
  search: string | null,
): Promise<Row[]> {
  const rows: Row[] = []
  do {
    const page: { rows: unknown; next: string | null } = await callPage(endpoint, input, search)
    rows.push(...(page.rows as readonly Row[]))
    search = page.next
  } while (search !== null)
  return rows
}

/** All rows of a list, for the options of a form. */
export const allRowsQuery = <Path extends string, Row>(
  key: string,
  endpoint: Endpoint<Path, null, z.ZodMiniType<Row[]>>,
) =>
  queryOptions({
    queryKey: ['admin', key, 'all'],
    queryFn: () => readAllRows(endpoint, {} as never, null),
    staleTime: 0,
  })

/** The next free position of an ordered list, or of its rows that match the filters. */
export async function readNextPosition<Path extends string>(
  endpoint: Endpoint<Path, null, z.ZodMiniType<{ position: number }[]>>,
  filters: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { rows } = await callPage(endpoint, {} as never, `?${new URLSearchParams({ ...filters, sort: '-position' })}`)
  return 1 + Math.max(0, ...(rows as readonly { position: number }[]).map(({ position }) => position))
}

/**
 * A mutation of the dashboard. After success it refetches the pending tasks and, for each of `keys`, the queries whose
 * key starts with `['admin', key]` or `[key]`. With `refetchOn: 'settled'`, it does so after an error too.
 */
export function useAdminMutation<Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  keys: readonly string[],
  { refetchOn = 'success' }: { refetchOn?: 'success' | 'settled' } = {},
) {
  const queryClient = useQueryClient()
  const refetch = () =>
    Promise.all(
      [['admin', 'pending-tasks'], ...keys.flatMap((key) => [['admin', key], [key]])].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  return useMutation({ mutationFn, ...(refetchOn === 'success' ? { onSuccess: refetch } : { onSettled: refetch }) })
}

/** Keys for `useAdminMutation` after a change of a supporter. */
export const SUPPORTER_QUERY_KEYS = ['supporters']

type RemovalWithUndo = {
  keys: readonly string[]
  remove: (id: string) => Promise<unknown>
  restore: (id: string) => Promise<unknown>
  /** The toast's title. */
  title?: string
  /** The toast's text for a record's name. */
  textOf?: (name: string) => string
}

/** Returns a function that removes a record without confirmation; the toast offers to undo it. */
export function useRemoveWithUndo({
  keys,
  remove,
  restore,
  title = 'Deleted',
  textOf = (name) => `${name} is off the site.`,
}: RemovalWithUndo) {
  const undo = useAdminMutation(restore, keys)
  const removal = useAdminMutation(remove, keys)
  return (id: string, name: string, onRemoved?: () => void) =>
    removal.mutate(id, {
      onSuccess: () => {
        toast({
          title,
          text: textOf(name),
          action: { label: 'Undo', onPress: () => undo.mutate(id, { onError: toastError('Not restored') }) },
        })
        onRemoved?.()
      },
      onError: toastError(`Not ${title.toLowerCase()}`),
    })
}

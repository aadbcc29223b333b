import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../worker/contract/endpoint'
import { call, callPage } from '../api/call'
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

/** All rows of a list, for the options of a form. */
export const allRowsQuery = <Path extends string, Row>(
  key: string,
  endpoint: Endpoint<Path, null, z.ZodMiniType<Row[]>>,
) =>
  queryOptions({
    queryKey: ['admin', key, 'all'],
    queryFn: async () => {
      const rows: Row[] = []
      let search: string | null = ''
      while (search !== null) {
        const page: { rows: readonly unknown[]; next: string | null } = await callPage(endpoint, {} as never, search)
        rows.push(...(page.rows as readonly Row[]))
        search = page.next
      }
      return rows
    },
    staleTime: 0,
  })

/** The next free position of an ordered list. */
export async function readNextPosition<Path extends string>(
  endpoint: Endpoint<Path, null, z.ZodMiniType<{ position: number }[]>>,
): Promise<number> {
  const { rows } = await callPage(endpoint, {} as never, '?sort=-position')
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

import { queryOptions, useQuery } from '@tanstack/react-query'
import { Bookmark, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type SavedView, savedViewsApi } from '../../../worker/contract/saved-views'
import { call, callPage, errorMessage } from '../../api/call'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/Field'
import { Popover, PopoverClose } from '../../ui/Popover'
import { toast, toastError } from '../../ui/toast'
import { useAdminMutation } from '../admin.queries'
import { parseViewSearch, toViewSearch } from './list-url-state'
import type { AdminListState } from './useAdminList'

const savedViewsQuery = (list: string) =>
  queryOptions({
    queryKey: ['admin', 'views', list],
    queryFn: async () => (await callPage(savedViewsApi.views, {}, `?${new URLSearchParams({ list })}`)).rows,
  })

type Props<Row> = { listName: string; filterIds: readonly string[]; state: AdminListState<Row> }

/** The admin's own views of a list: search, filters, sort and columns under a name. */
export function SavedViews<Row>({ listName, filterIds, state }: Props<Row>) {
  const { data: views = [] } = useQuery(savedViewsQuery(listName))
  const remove = useAdminMutation((id: string) => call(savedViewsApi.remove, { id }), ['views'])
  const restore = useAdminMutation(({ id: _, ...body }: SavedView) => call(savedViewsApi.save, { body }), ['views'])
  const removeWithUndo = (view: SavedView) =>
    remove.mutate(view.id, {
      onSuccess: () =>
        toast({
          title: 'View deleted',
          text: view.name,
          action: {
            label: 'Undo',
            onPress: () => restore.mutate(view, { onError: toastError('View not restored') }),
          },
        }),
      onError: toastError('View not deleted'),
    })
  const currentSearch = toViewSearch(state.urlState)
  const activeView = views.find(({ search }) => search === currentSearch)
  return (
    <Popover
      label="Views"
      trigger={
        <Button variant="text">
          <Bookmark size={18} aria-hidden />
          {activeView ? `View: ${activeView.name}` : 'Views'}
        </Button>
      }
    >
      <ul className="grid">
        {views.map((view) => (
          <li key={view.id} className="flex items-center justify-between gap-2">
            <PopoverClose asChild>
              <button
                type="button"
                aria-current={view === activeView ? 'true' : undefined}
                className="min-h-11 flex-1 text-left wrap-anywhere hover:text-gold-bright aria-[current]:text-gold"
                onClick={() => state.update({ ...parseViewSearch(view.search, filterIds), cursor: null })}
              >
                {view.name}
              </button>
            </PopoverClose>
            <button
              type="button"
              aria-label={`Delete the view ${view.name}`}
              className="grid size-11 shrink-0 place-items-center text-muted hover:text-ivory"
              onClick={() => removeWithUndo(view)}
            >
              <Trash2 size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {views.length === 0 && (
        <p className="text-sm text-muted">Set filters, sort and columns, then save them under a name.</p>
      )}
      <SaveViewForm listName={listName} search={currentSearch} />
    </Popover>
  )
}

function SaveViewForm({ listName, search }: { listName: string; search: string }) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const save = useAdminMutation(
    () => call(savedViewsApi.save, { body: { list: listName, name: name.trim(), search } }),
    ['views'],
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    if (name.trim() === '') return setError('Enter a name for the view.')
    setError(undefined)
    save.mutate(undefined, { onSuccess: () => setName(''), onError: (failure) => setError(errorMessage(failure)) })
  }
  return (
    <form noValidate onSubmit={submit} className="mt-3 grid gap-3 border-t border-rule pt-3">
      <TextField
        label="Name of this view"
        required
        maxLength={40}
        value={name}
        error={error}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" aria-disabled={save.isPending}>
        Save view
      </Button>
    </form>
  )
}

import { Tabs } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { errorMessage } from '../../api/call'
import { Button } from '../../ui/Button'
import { EmptyNotice } from '../../ui/EmptyNotice'
import { LoadError } from '../../ui/LoadError'
import { Skeleton } from '../../ui/Skeleton'
import { AdminTabList } from '../AdminTabList'
import { Panel } from '../Panel'
import { BulkBar } from './BulkBar'
import { ListTable } from './ListTable'
import { ListToolbar } from './ListToolbar'
import type { AdminListDefinition } from './list-definition'
import { useListShortcuts, useShortcutsSetting } from './list-shortcuts'
import { type AdminListState, useAdminList } from './useAdminList'

type Props<P extends string, Row extends object> = {
  list: AdminListDefinition<P, Row>
  note?: ReactNode
  /** Buttons of a row. */
  actions?: (row: Row) => ReactNode
  /** Shown beside the search, for example the button that adds a record. */
  tools?: ReactNode
  /** Shown above the list. */
  children?: ReactNode
}

/**
 * A list of the dashboard: search, filters, sort, views, columns, selection and pages. The URL stores its state, except
 * the selection. `EditableList` also adds and edits records.
 */
export function AdminList<P extends string, Row extends object>({
  list,
  note,
  actions,
  tools,
  children,
}: Props<P, Row>) {
  const state = useAdminList(list)
  const container = useRef<HTMLDivElement>(null)
  const [areShortcutsEnabled, setShortcutsEnabled] = useShortcutsSetting()
  useListShortcuts(container, areShortcutsEnabled)
  const { rows, error, isLoading, urlState } = state
  const currentTab = list.tabs?.find(({ id }) => id === state.tab)
  // A later page can become empty while the list is not: its rows were deleted.
  const emptyText =
    urlState.cursor === null
      ? (currentTab?.empty ?? list.empty)
      : 'Nothing is left on this page. Go back to the first page.'
  const content = (
    <div ref={container} data-admin-list className="data-table">
      <ListToolbar
        list={list}
        state={state}
        tools={tools}
        shortcuts={{ isOn: areShortcutsEnabled, setIsOn: setShortcutsEnabled }}
      />
      {error && (
        <LoadError onRetry={state.retry} retrying={state.isFetching}>
          {`${list.title} could not be loaded. ${errorMessage(error)}`}
        </LoadError>
      )}
      {isLoading && <Skeleton label={`Loading ${list.title.toLowerCase()}`} className="h-72" />}
      {!isLoading && !error && rows.length === 0 && (
        <EmptyNotice role="status">
          {state.isNarrowed ? (
            <>
              <p>{urlState.q === '' ? 'Nothing matches these filters.' : `Nothing matches “${urlState.q}”.`}</p>
              <Button className="mt-4" onClick={state.clearSearchAndFilters}>
                Clear search and filters
              </Button>
            </>
          ) : (
            emptyText
          )}
        </EmptyNotice>
      )}
      {list.bulkActions && <BulkBar list={list} state={state} actions={list.bulkActions} />}
      {rows.length > 0 && <ListTable list={list} state={state} actions={actions} />}
      <Pager state={state} title={list.title} />
      <p className="sr-only" role="status">
        {!isLoading && !error && rows.length > 0 && `${rows.length} shown`}
      </p>
    </div>
  )
  return (
    <Panel title={list.title} note={note}>
      {children}
      {list.tabs && currentTab ? (
        <Tabs.Root value={currentTab.id} onValueChange={state.openTab}>
          <AdminTabList label={`Kinds of ${list.title.toLowerCase()}`} tabs={list.tabs} openId={currentTab.id} />
          <Tabs.Content value={currentTab.id}>{content}</Tabs.Content>
        </Tabs.Root>
      ) : (
        content
      )}
    </Panel>
  )
}

const cursorOf = (search: string | null) => (search === null ? null : new URLSearchParams(search).get('cursor'))

function Pager<Row>({ state, title }: { state: AdminListState<Row>; title: string }) {
  const { next, previous, urlState, rows } = state
  const isBeyondFirstPage = urlState.cursor !== null
  if (next === null && previous === null && !isBeyondFirstPage) return null
  return (
    <nav aria-label={`Pages of ${title.toLowerCase()}`} className="mt-5 flex flex-wrap items-center gap-3">
      <Button
        aria-disabled={previous === null}
        onClick={() => previous !== null && state.update({ cursor: cursorOf(previous) })}
      >
        Previous page
      </Button>
      <Button aria-disabled={next === null} onClick={() => next !== null && state.update({ cursor: cursorOf(next) })}>
        Next page
      </Button>
      {isBeyondFirstPage && (previous === null || rows.length === 0) && (
        <Button variant="text" onClick={() => state.update({ cursor: null })}>
          First page
        </Button>
      )}
    </nav>
  )
}

import { Columns3, Keyboard, Search } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/Button'
import { CheckField, SelectField } from '../../ui/Field'
import { Popover } from '../../ui/Popover'
import { FilterChips } from './FilterChips'
import { type AdminListDefinition, filterIdsOf } from './list-definition'
import { LIST_SHORTCUTS } from './list-shortcuts'
import { formatSort } from './list-url-state'
import { SavedViews } from './SavedViews'
import type { AdminListState } from './useAdminList'

type Props<P extends string, Row> = {
  list: AdminListDefinition<P, Row>
  state: AdminListState<Row>
  tools?: ReactNode
  /** The setting of the single-key shortcuts. */
  shortcuts: { isOn: boolean; setIsOn: (isOn: boolean) => void }
}

/** A list's search, filters, views, columns and shortcuts. Without search, filters and sorting, it has only tools. */
export function ListToolbar<P extends string, Row>({ list, state, tools, shortcuts }: Props<P, Row>) {
  const { columns, searchLabel, filters = [] } = list
  const sortable = columns.filter(({ sort }) => sort !== undefined)
  const hasOnlyTools = !searchLabel && filters.length === 0 && sortable.length === 0
  if (hasOnlyTools) return tools ? <div className="mb-5 flex flex-wrap gap-3 empty:hidden">{tools}</div> : null
  return (
    <div className="mb-5 grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        {searchLabel && (
          <SearchField
            label={searchLabel}
            value={state.urlState.q}
            onSearch={(q) => state.update({ q }, { replace: true })}
          />
        )}
        {tools && <div className="flex flex-wrap gap-3 empty:hidden">{tools}</div>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {filters.length > 0 && <FilterChips filters={filters} state={state} />}
        <SavedViews listName={list.name} filterIds={filterIdsOf(list)} state={state} />
        {columns.length > 2 && (
          <Popover
            label="Columns"
            trigger={
              <Button variant="text">
                <Columns3 size={18} aria-hidden />
                Columns
              </Button>
            }
          >
            {columns.slice(1).map(({ id, header }) => (
              <CheckField
                key={id}
                label={header}
                checked={state.columnIds.includes(id)}
                onChange={(event) => {
                  const isShown = event.currentTarget.checked
                  state.setColumns(
                    columns
                      .map((column) => column.id)
                      .filter((other) => (other === id ? isShown : state.columnIds.includes(other))),
                  )
                }}
              />
            ))}
          </Popover>
        )}
        <Popover
          label="Keyboard shortcuts"
          trigger={
            <Button variant="text" className="max-md:hidden">
              <Keyboard size={18} aria-hidden />
              Shortcuts
            </Button>
          }
        >
          <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2">
            {LIST_SHORTCUTS.map(({ key, text }) => (
              <div key={key} className="contents">
                <dt>
                  <kbd className="rounded-xs border border-rule-strong px-2 py-0.5 text-sm">{key}</kbd>
                </dt>
                <dd className="text-muted">{text}</dd>
              </div>
            ))}
          </dl>
          <CheckField
            className="mt-3 border-t border-rule pt-1"
            label="Use shortcuts"
            checked={shortcuts.isOn}
            onChange={(event) => shortcuts.setIsOn(event.currentTarget.checked)}
          />
        </Popover>
      </div>
      {sortable.length > 0 && (
        <SelectField
          label="Sort by"
          className="md:hidden"
          value={formatSort(state.urlState.sort)}
          options={[
            { value: '', label: 'Default order' },
            ...sortable.flatMap(({ sort = '', header }) => [
              { value: sort, label: `${header}, ascending` },
              { value: `-${sort}`, label: `${header}, descending` },
            ]),
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget
            state.update({
              sort: value === '' ? null : { column: value.replace(/^-/, ''), descending: value.startsWith('-') },
            })
          }}
        />
      )}
    </div>
  )
}

const SEARCH_DELAY_MS = 250

type SearchFieldProps = { label: string; value: string; onSearch: (text: string) => void }

/** Searches SEARCH_DELAY_MS after the last keystroke. */
function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const searchedText = useRef(value)
  // The URL also changes on Back, when a saved view opens and when the search is cleared.
  useEffect(() => {
    if (value !== searchedText.current) setText(value)
    searchedText.current = value
  }, [value])
  const latestOnSearch = useRef(onSearch)
  latestOnSearch.current = onSearch
  useEffect(() => {
    if (text.trim() === searchedText.current) return
    const timer = setTimeout(() => {
      searchedText.current = text.trim()
      latestOnSearch.current(text.trim())
    }, SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className="w-full max-w-lg">
      <label htmlFor={id} className="font-label text-muted">
        {label}
      </label>
      <div className="field-line">
        <Search size={18} aria-hidden className="mr-3 shrink-0 text-muted" />
        <input
          id={id}
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </div>
    </div>
  )
}

import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { type Column, DataTable, type Sort, type TableData } from './DataTable'

type Fruit = { name: string; weight: number }
const fruit: Fruit[] = [
  { name: 'Fig', weight: 50 },
  { name: 'Apple', weight: 150 },
  { name: 'Melon', weight: 900 },
]
const columns: readonly Column<Fruit>[] = [
  { id: 'name', header: 'Name', cell: (row) => row.name, sortBy: (row) => row.name },
  { id: 'weight', header: 'Weight', cell: (row) => `${row.weight} g`, sortBy: (row) => row.weight, numeric: true },
]
const loadedTable: TableData<Fruit> = {
  rows: fruit,
  isLoading: false,
  error: null,
  retry: () => undefined,
  retrying: false,
  sort: null,
  shownCount: 50,
  loadMore: null,
  loadingMore: false,
}

function Table({ listing }: { listing: Partial<TableData<Fruit>> }) {
  const [sort, setSort] = useState<Sort | null>(null)
  return (
    <DataTable
      caption="Fruit"
      columns={columns}
      rowKey={(row) => row.name}
      empty="No fruit yet."
      listing={{ ...loadedTable, sort, setSort, ...listing }}
    />
  )
}
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent)

test('sorts by a heading and announces the direction', () => {
  render(<Table listing={{}} />)
  expect(names()).toEqual(['Fig', 'Apple', 'Melon'])
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(names()).toEqual(['Apple', 'Fig', 'Melon'])
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(names()).toEqual(['Melon', 'Fig', 'Apple'])
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending')
})

test('preserves the order of rows sorted by the server', () => {
  const setSort = vi.fn()
  render(<Table listing={{ serverSortable: ['name'], setSort }} />)
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(setSort).toHaveBeenCalledWith({ column: 'name', descending: false })
  expect(names()).toEqual(['Fig', 'Apple', 'Melon'])
  expect(screen.queryByRole('button', { name: 'Weight' })).toBeNull()
})

test('loads more rows on request', () => {
  const loadMore = vi.fn()
  render(<Table listing={{ shownCount: 2, loadMore }} />)
  expect(names()).toHaveLength(2)
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(loadMore).toHaveBeenCalledOnce()
})

test('announces loading, an empty list, no match and errors', () => {
  const retry = vi.fn()
  const search = { text: 'kiwi', set: () => undefined, label: 'Search fruit' }
  const { rerender } = render(<Table listing={{ rows: [], isLoading: true }} />)
  expect(screen.getByText('Loading fruit')).toBeTruthy()
  rerender(<Table listing={{ rows: [] }} />)
  expect(screen.getByText('No fruit yet.')).toBeTruthy()
  rerender(<Table listing={{ rows: [], search }} />)
  expect(screen.getByText('Nothing matches “kiwi”.')).toBeTruthy()
  rerender(<Table listing={{ rows: [], error: new Error('500'), retry }} />)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(retry).toHaveBeenCalledOnce()
})

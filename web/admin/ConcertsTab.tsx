import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type AdminConcert, adminContentApi, ConcertDraft } from '../../worker/contract/admin-content'
import { call } from '../api/call'
import { calendarDate } from '../lib/format'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { CityRequestsPanel } from './CityRequestsPanel'
import { adminConcerts, useRemoveWithUndo, useSave } from './content.queries'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldDefinition } from './RecordField'
import { RowActions } from './RowActions'
import { useLocalListing } from './useTableListing'

const columns: readonly Column<AdminConcert>[] = [
  { id: 'date', header: 'Date', cell: (row) => calendarDate(row.date), sortBy: (row) => row.date },
  { id: 'venue', header: 'Venue', cell: (row) => row.venue, sortBy: (row) => row.venue },
  { id: 'city', header: 'City', cell: (row) => row.city, sortBy: (row) => row.city },
  {
    id: 'tickets',
    header: 'Tickets',
    cell: (row) => (row.isSoldOut ? 'Sold Out' : (row.ticketsAvailable ?? 'Not counted')),
    sortBy: (row) => (row.isSoldOut ? 0 : (row.ticketsAvailable ?? Number.MAX_SAFE_INTEGER)),
    numeric: true,
  },
  {
    id: 'door',
    header: 'Door',
    cell: (row) => (
      <Link to="/admin/shows/$id/door" params={{ id: row.id }} className="underline underline-offset-4">
        Open the door
        <span className="sr-only">{` of ${row.venue}`}</span>
      </Link>
    ),
  },
]
const fields: readonly FieldDefinition<ConcertDraft>[] = [
  { name: 'date', label: 'Date', kind: 'date' },
  { name: 'timeZone', label: 'Time zone of the venue' },
  { name: 'startTime', label: 'Start', kind: 'time' },
  { name: 'endTime', label: 'End', kind: 'time', hint: 'Earlier than the start: after midnight.' },
  { name: 'venue', label: 'Venue' },
  { name: 'city', label: 'City' },
  { name: 'address', label: 'Address', wide: true },
  { name: 'priceCents', label: 'Price at the door', kind: 'dollars', hint: '0 is free.' },
  { name: 'ticketsAvailable', label: 'Tickets left', kind: 'figure', optional: true },
  { name: 'isSoldOut', label: 'Sold Out', kind: 'check' },
  { name: 'hasVip', label: 'VIP Available', kind: 'check' },
  { name: 'imageUrl', label: 'Picture', kind: 'picture', shape: 'show' },
  { name: 'imageAlt', label: 'What the picture shows', wide: true },
]
const blank: Partial<ConcertDraft> = {
  imageUrl: '',
  timeZone: 'America/New_York',
  startTime: '20:00',
  endTime: '23:00',
  priceCents: 0,
  ticketsAvailable: null,
  isSoldOut: false,
  hasVip: false,
}

/** Every show, the past ones too. */
export function ConcertsTab() {
  const [open, setOpen] = useState<AdminConcert | 'new' | null>(null)
  const listing = useLocalListing(useQuery(adminConcerts), {
    label: 'Search shows',
    textOf: (row) => `${row.venue} ${row.city} ${row.date}`,
  })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: ConcertDraft }) =>
      id === null
        ? call(adminContentApi.addConcert, { body: draft })
        : call(adminContentApi.updateConcert, { id, body: draft }),
    ['concerts'],
  )
  const remove = useRemoveWithUndo(
    'concerts',
    (id) => call(adminContentApi.removeConcert, { id }),
    (id) => call(adminContentApi.restoreConcert, { id }),
  )
  return (
    <div className="grid gap-12">
      <Panel title="Shows">
        <DataTable
          caption="Shows"
          listing={listing}
          columns={columns}
          rowKey={(row) => row.id}
          empty="No show yet."
          tools={<Button onClick={() => setOpen('new')}>Add a show</Button>}
          actions={(row) => (
            <RowActions
              name={`${row.venue}, ${calendarDate(row.date)}`}
              onEdit={() => setOpen(row)}
              onDelete={() => remove(row.id, row.venue)}
            />
          )}
        />
        {open && (
          <RecordDialog
            title={open === 'new' ? 'A new show' : `${open.venue}, ${calendarDate(open.date)}`}
            schema={ConcertDraft}
            fields={fields}
            values={open === 'new' ? blank : toDraft(open)}
            save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
            onClose={() => setOpen(null)}
          />
        )}
      </Panel>
      <CityRequestsPanel />
    </div>
  )
}

const toDraft = ({ id: _, ...draft }: AdminConcert): ConcertDraft => draft

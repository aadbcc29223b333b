import { useQuery } from '@tanstack/react-query'
import { FileSpreadsheet, Printer } from 'lucide-react'
import { useState } from 'react'
import { adminContentApi } from '../../worker/contract/admin-content'
import {
  type CodeBatch,
  CodeBatchDraft,
  downloadCodesApi,
  MAX_CODES_PER_BATCH,
} from '../../worker/contract/download-codes'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { RecordDialog } from '../admin/CrudPanel'
import { ListPanel } from '../admin/ListPanel'
import { useLocalListing } from '../admin/listings'
import type { FieldDefinition } from '../admin/RecordForm'
import { call, fillPath } from '../api/call'
import { formatCount, formatDate } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import type { Column } from '../ui/DataTable'

const columns: readonly Column<CodeBatch>[] = [
  { id: 'name', header: 'Batch', cell: (row) => row.name, sortBy: (row) => row.name },
  { id: 'title', header: 'Music', cell: (row) => row.title, sortBy: (row) => row.title },
  {
    id: 'redeemed',
    header: 'Redeemed',
    cell: (row) => `${formatCount(row.redeemed)} of ${formatCount(row.size)}`,
    sortBy: (row) => row.redeemed,
    numeric: true,
  },
  {
    id: 'createdAt',
    header: 'Created',
    cell: (row) => formatDate(row.createdAt),
    sortBy: (row) => Date.parse(row.createdAt),
  },
]

const batchesQuery = adminQuery('download-codes', downloadCodesApi.batches)

/** Batches of download codes, to print on cards or to give away. */
export function CodesTab() {
  const [isAdding, setIsAdding] = useState(false)
  const listing = useLocalListing(useQuery(batchesQuery), {
    label: 'Search batches',
    textOf: ({ name, title }) => `${name} ${title}`,
  })
  const add = useAdminMutation((body: CodeBatchDraft) => call(downloadCodesApi.addBatch, { body }), ['download-codes'])
  const fields = useBatchFields()
  return (
    <>
      <ListPanel
        title="Download codes"
        note="Each code gives one fan a release or track, without an account, at /redeem. Cards show the unused codes of a batch."
        listing={listing}
        columns={columns}
        empty="No codes yet. Create a batch for your next vinyl, merch table or press list."
        tools={<Button onClick={() => setIsAdding(true)}>Create codes</Button>}
        actions={({ id, name }) => (
          <>
            <a
              href={fillPath(downloadCodesApi.cards.path, { id })}
              target="_blank"
              rel="noopener"
              aria-label={`Cards of ${name} (opens in a new tab)`}
              className={buttonClass('text')}
            >
              <Printer size={18} aria-hidden />
              Cards
            </a>
            <a
              href={fillPath(downloadCodesApi.csv.path, { id })}
              download
              aria-label={`CSV of ${name}`}
              className={buttonClass('text')}
            >
              <FileSpreadsheet size={18} aria-hidden />
              CSV
            </a>
          </>
        )}
      />
      {isAdding && (
        <RecordDialog
          title="New download codes"
          schema={CodeBatchDraft}
          fields={fields}
          values={{ name: '', good: '', size: 100 }}
          save={(draft) => add.mutateAsync(draft)}
          savedText={({ size }) => (size === 1 ? 'The code is ready.' : `${formatCount(size)} codes are ready.`)}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}

function useBatchFields(): FieldDefinition<CodeBatchDraft>[] {
  const releases = useQuery(adminQuery('releases', adminContentApi.releases)).data ?? []
  const tracks = useQuery(adminQuery('tracks', adminContentApi.tracks)).data ?? []
  return [
    { name: 'name', label: 'Name', hint: 'For you, such as “Vinyl inserts, May”.', wide: true },
    {
      name: 'good',
      label: 'Release or track',
      kind: 'select',
      options: [
        { value: '', label: 'Choose one' },
        ...releases.map(({ id, title, kind }) => ({ value: `release:${id}`, label: `${title} (${kind})` })),
        ...tracks.map(({ id, title }) => ({ value: `track:${id}`, label: `${title} (track)` })),
      ],
    },
    { name: 'size', label: 'Number of codes', kind: 'number', hint: `Up to ${formatCount(MAX_CODES_PER_BATCH)}.` },
  ]
}

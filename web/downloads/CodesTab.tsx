import { FileSpreadsheet, Printer } from 'lucide-react'
import { OPEN_PARAM } from '../../worker/contract/admin-screens'
import {
  type CodeBatch,
  CodeBatchDraft,
  downloadCodesApi,
  MAX_CODES_PER_BATCH,
} from '../../worker/contract/download-codes'
import { useAdminMutation } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { RecordDialog } from '../admin/RecordDialog'
import type { FieldDefinition } from '../admin/RecordField'
import { useScreenSearch } from '../admin/screen-location'
import { call, fillPath, requireAccess } from '../api/call'
import { formatCount, formatDate } from '../lib/format'
import { useDigitalGoodOptions } from '../releases/music-admin.queries'
import { Button } from '../ui/Button'
import { toastError } from '../ui/toast'

const codeBatchList: AdminListDefinition<'/api/admin/download-codes', CodeBatch> = {
  name: 'download-codes',
  title: 'Download codes',
  endpoint: downloadCodesApi.batches,
  searchLabel: 'Search batches by name or music',
  nameOf: (row) => row.name,
  columns: [
    { id: 'name', header: 'Batch', cell: (row) => row.name, sort: 'name' },
    { id: 'title', header: 'Music', cell: (row) => row.title, sort: 'title' },
    {
      id: 'redeemed',
      header: 'Redeemed',
      cell: (row) => `${formatCount(row.redeemed)} of ${formatCount(row.size)}`,
      sort: 'redeemed',
      isNumeric: true,
    },
    { id: 'createdAt', header: 'Created', cell: (row) => formatDate(row.createdAt), sort: 'created' },
  ],
  filters: [
    choiceFilter('state', 'State', { left: 'Codes left', used_up: 'All redeemed' }),
    { id: 'created', label: 'Created', kind: 'days' },
  ],
  empty: 'No codes yet. Create a batch for your next vinyl, merch table or press list.',
}

/** Batches of download codes, which can be printed on cards or exported as CSV. */
export function CodesTab() {
  const [search, setSearch] = useScreenSearch()
  const add = useAdminMutation((body: CodeBatchDraft) => call(downloadCodesApi.addBatch, { body }), ['download-codes'])
  const fields = useBatchFields()
  return (
    <>
      <AdminList
        list={codeBatchList}
        note="Each code gives one fan a release or track, without an account, at /redeem. Cards show the unused codes of a batch."
        tools={<Button onClick={() => setSearch({ [OPEN_PARAM]: 'new' }, { push: true })}>Create codes</Button>}
        actions={({ id, name }) => (
          <>
            <Button
              variant="text"
              aria-label={`Cards of ${name} (opens in a new tab)`}
              onClick={() => void openCodes(downloadCodesApi.cards, id)}
            >
              <Printer size={18} aria-hidden />
              Cards
            </Button>
            <Button
              variant="text"
              aria-label={`CSV of ${name}`}
              onClick={() => void openCodes(downloadCodesApi.csv, id)}
            >
              <FileSpreadsheet size={18} aria-hidden />
              CSV
            </Button>
          </>
        )}
      />
      {search[OPEN_PARAM] === 'new' && (
        <RecordDialog
          title="New download codes"
          formId="download-codes.new"
          schema={CodeBatchDraft}
          fields={fields}
          values={{ name: '', good: '', size: 100 }}
          save={(draft) => add.mutateAsync(draft)}
          // What is typed during the save is dropped, because a batch of codes can’t be edited.
          readCreated={async () => undefined}
          savedText={({ size }) => (size === 1 ? 'The code is ready.' : `${formatCount(size)} codes are ready.`)}
          onClose={() => setSearch({ [OPEN_PARAM]: '' })}
        />
      )}
    </>
  )
}

/** Opens the cards or the CSV, after re-authentication if that is required. */
async function openCodes(
  endpoint: typeof downloadCodesApi.cards | typeof downloadCodesApi.csv,
  id: string,
): Promise<void> {
  try {
    await requireAccess<typeof endpoint.path>(endpoint, { id })
    const url = fillPath(endpoint.path, { id })
    // A browser may block a new tab that opens after the re-authentication dialog.
    if (endpoint === downloadCodesApi.csv || !window.open(url, '_blank')) location.assign(url)
  } catch (error) {
    toastError('The codes could not be opened')(error as Error)
  }
}

function useBatchFields(): FieldDefinition<CodeBatchDraft>[] {
  const options = useDigitalGoodOptions('id')
  return [
    { name: 'name', label: 'Name', hint: 'For you, such as “Vinyl inserts, May”.', wide: true },
    { name: 'good', label: 'Release or track', kind: 'select', options },
    { name: 'size', label: 'Number of codes', kind: 'number', hint: `Up to ${formatCount(MAX_CODES_PER_BATCH)}.` },
  ]
}

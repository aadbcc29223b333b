import { useNavigate } from '@tanstack/react-router'
import {
  IMPORT_KIND_IDS,
  IMPORT_KINDS,
  type Import,
  importsApi,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ROWS,
} from '../../worker/contract/imports'
import { RETENTION } from '../../worker/contract/retention'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen } from '../admin/screen-location'
import { formatCount, formatDateTime } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { GroupError } from '../ui/FormError'
import { FilePicker, UploadProgress } from '../uploads/FilePicker'
import { useUpload } from '../uploads/useUpload'
import { isInProgress, uploadImport } from './imports.queries'

const IMPORT_STATE_LABELS: Record<Import['state'], { label: string; className?: string }> = {
  uploaded: { label: 'Not checked yet' },
  checking: { label: 'Being checked', className: 'text-gold' },
  checked: { label: 'Checked, not imported' },
  importing: { label: 'In progress', className: 'text-gold' },
  imported: { label: 'Imported' },
  undoing: { label: 'Being undone', className: 'text-gold' },
  undone: { label: 'Undone', className: 'text-muted' },
  failed: { label: 'Failed', className: 'text-sunset' },
  expired: { label: 'File expired', className: 'text-muted' },
}

const importList: AdminListDefinition<'/api/admin/imports', Import> = {
  name: 'imports',
  title: 'Imports',
  endpoint: importsApi.list,
  searchLabel: 'Search by file name',
  nameOf: (row) => row.fileName,
  linkOf: ({ id }) => toScreen('import', { params: { id } }),
  refetchInterval: (rows) => (rows.some(isInProgress) ? 2_000 : false),
  filters: [
    choiceFilter('kind', 'Data', IMPORT_KINDS),
    choiceFilter('state', 'State', IMPORT_STATE_LABELS),
    { id: 'uploaded', label: 'Uploaded', kind: 'days' },
  ],
  empty: 'No imports yet. Choose your first file above.',
  columns: [
    { id: 'file', header: 'File', sort: 'file', cell: (row) => <span className="wrap-anywhere">{row.fileName}</span> },
    { id: 'kind', header: 'Data', cell: (row) => (row.kind ? IMPORT_KINDS[row.kind].label : 'Not recognized') },
    {
      id: 'state',
      header: 'State',
      cell: (row) => (
        <span className={IMPORT_STATE_LABELS[row.state].className}>{IMPORT_STATE_LABELS[row.state].label}</span>
      ),
    },
    { id: 'rows', header: 'Rows', cell: (row) => formatCount(row.rows), isNumeric: true },
    {
      id: 'uploaded',
      header: 'Uploaded',
      sort: 'uploaded',
      cell: (row) => (
        <span className="tabular-figures">
          {formatDateTime(row.requestedAt)} <span className="whitespace-nowrap text-muted">by {row.requestedBy}</span>
        </span>
      ),
    },
  ],
}

/** /admin/imports: uploads a CSV file of another platform, and lists earlier ones. */
export function ImportsTab() {
  const navigate = useNavigate()
  const { progress, uploadError, start, stop } = useUpload(uploadImport, {
    onUploaded: ({ id }) => void navigate(toScreen('import', { params: { id } })),
  })
  return (
    <AdminList
      list={importList}
      note={`Bring your fans along from Bandcamp, Mailchimp, Patreon or Shopify. First we only check the file: nothing changes and no one gets an email. An import can be undone for ${RETENTION.importReportDays} days.`}
      tools={
        <ScreenLink screen="contacts" className={buttonClass()}>
          Contacts
        </ScreenLink>
      }
    >
      <div className="mb-8 border border-rule bg-sleeve p-5 md:p-7">
        {progress === null ? (
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <FilePicker label="Choose a CSV file" accept=".csv,.txt,text/csv" onPick={(file) => void start(file)}>
              Choose a CSV file
            </FilePicker>
            <p className="text-sm text-muted">
              Up to {MAX_IMPORT_BYTES / 1024 / 1024} MB and {formatCount(MAX_IMPORT_ROWS)} rows.
            </p>
          </div>
        ) : (
          <UploadProgress label="CSV file" progress={progress} onStop={stop} />
        )}
        {uploadError && <GroupError>{uploadError}</GroupError>}
        <details className="mt-5">
          <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-muted hover:text-ivory">
            Where to find the files
          </summary>
          <dl className="mt-2 grid gap-x-8 gap-y-3 text-sm sm:grid-cols-[auto_1fr]">
            {IMPORT_KIND_IDS.map((kind) => (
              <div key={kind} className="contents">
                <dt>{IMPORT_KINDS[kind].label}</dt>
                <dd className="-mt-2 text-muted sm:mt-0">{IMPORT_KINDS[kind].exportSteps}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
    </AdminList>
  )
}

import { Copy, Download, RotateCcw } from 'lucide-react'
import { type ExportFile, type ExportRequest, exportsApi } from '../../worker/contract/exports'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { fillPath } from '../api/call'
import { downloadFile } from '../api/download'
import { formatBytes, formatCount, formatCountOf, formatDateTime } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { toast, toastError } from '../ui/toast'
import { ExportForm } from './ExportForm'
import { EXPORT_LABELS, useRequestExport } from './exports.queries'
import { WeeklyExports } from './WeeklyExports'

const FILE_STATE_LABELS: Record<ExportFile['state'], { label: string; className: string }> = {
  waiting: { label: 'Waiting', className: 'text-muted' },
  running: { label: 'In progress', className: 'whitespace-nowrap text-gold' },
  ready: { label: 'Ready', className: '' },
  failed: { label: 'Failed', className: 'text-sunset' },
  expired: { label: 'Expired', className: 'text-muted' },
}
const exportList: AdminListDefinition<'/api/admin/exports', ExportFile> = {
  name: 'exports',
  title: 'Exports',
  endpoint: exportsApi.list,
  nameOf: (row) => `${EXPORT_LABELS[row.kind]}, ${formatDateTime(row.requestedAt)}`,
  refetchInterval: (rows) => (rows.some(({ state }) => state === 'waiting' || state === 'running') ? 2_000 : false),
  filters: [
    choiceFilter('kind', 'Data', EXPORT_LABELS),
    choiceFilter('state', 'State', FILE_STATE_LABELS),
    { id: 'requested', label: 'Requested', kind: 'days' },
  ],
  empty: 'No exports yet. Choose what you need above.',
  columns: [
    {
      id: 'kind',
      header: 'Data',
      cell: (row) => (
        <>
          {EXPORT_LABELS[row.kind]}
          {row.columns && (
            <span className="block text-sm text-muted">{formatCountOf(row.columns.length, 'column')}</span>
          )}
        </>
      ),
    },
    {
      id: 'fileName',
      header: 'File',
      cell: (row) => <span className="tabular-figures wrap-anywhere">{row.fileName}</span>,
      isOptional: true,
    },
    {
      id: 'requestedAt',
      header: 'Requested',
      sort: 'requested',
      cell: (row) => (
        <span className="tabular-figures">
          {formatDateTime(row.requestedAt)} <span className="whitespace-nowrap text-muted">by {row.requestedBy}</span>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      cell: (row) => (
        <span className={FILE_STATE_LABELS[row.state].className}>{FILE_STATE_LABELS[row.state].label}</span>
      ),
    },
    {
      id: 'rows',
      header: 'Rows',
      cell: (row) => row.rows !== null && `${formatCount(row.rows)}${row.state === 'running' ? ' so far' : ''}`,
      isNumeric: true,
    },
    {
      id: 'size',
      header: 'Size',
      cell: (row) => row.sizeBytes !== null && formatBytes(row.sizeBytes),
      isNumeric: true,
    },
    {
      id: 'sha256',
      header: 'SHA-256',
      cell: (row) =>
        row.sha256 && (
          <button
            type="button"
            className="-my-2.5 inline-flex min-h-11 items-center gap-2 whitespace-nowrap text-muted hover:text-ivory"
            aria-label={`${row.sha256.slice(0, 8)}: copy the SHA-256 of ${EXPORT_LABELS[row.kind]}`}
            title={row.sha256}
            onClick={() => void copyDigest(row.sha256 ?? '')}
          >
            <code className="text-xs after:content-['…']">{row.sha256.slice(0, 8)}</code>
            <Copy size={15} aria-hidden />
          </button>
        ),
    },
    {
      id: 'expiresAt',
      header: 'Expires',
      cell: (row) => row.expiresAt && <span className="tabular-figures">{formatDateTime(row.expiresAt)}</span>,
    },
  ],
}

async function copyDigest(sha256: string) {
  try {
    await navigator.clipboard.writeText(sha256)
    toast({ title: 'SHA-256 copied' })
  } catch {
    toast({ title: 'Copy failed. Select and copy the text below', text: sha256 })
  }
}

/** /admin/exports: requests a list as CSV, once or every week, and lists the files. */
export function ExportsTab() {
  const request = useRequestExport()
  const requestExport = (exportRequest: ExportRequest) =>
    !request.isPending &&
    request.mutate(exportRequest, {
      onSuccess: () => toast({ title: 'Export requested', text: 'It appears below as soon as it is ready.' }),
      onError: toastError('The export could not be requested'),
    })

  return (
    <AdminList
      list={exportList}
      note="A CSV file is written in the background and stored for three days. Every request and every download is in the audit log."
      actions={(row) =>
        row.state === 'ready' ? (
          <a
            href={fillPath(exportsApi.file.path, { id: row.id })}
            download
            aria-label={`Download ${EXPORT_LABELS[row.kind]}`}
            className={buttonClass('text')}
            onClick={(event) => {
              event.preventDefault()
              void downloadFile(exportsApi.file, row.id)
            }}
          >
            <Download size={18} aria-hidden />
            Download
          </a>
        ) : (
          (row.state === 'failed' || row.state === 'expired') && (
            <Button
              variant="text"
              aria-label={`Export ${EXPORT_LABELS[row.kind]} again`}
              aria-disabled={request.isPending}
              onClick={() => requestExport({ kind: row.kind, columns: row.columns ?? undefined })}
            >
              <RotateCcw size={18} aria-hidden />
              Export again
            </Button>
          )
        )
      }
    >
      <ExportForm isRequesting={request.isPending} onRequest={requestExport} />
      <WeeklyExports />
    </AdminList>
  )
}

import { Download } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Archive, archivesApi, MIN_PASSPHRASE_LENGTH } from '../../worker/contract/archives'
import { RETENTION } from '../../worker/contract/retention'
import { useAdminMutation } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { call, fillPath } from '../api/call'
import { downloadFile } from '../api/download'
import { formatBytes, formatCount, formatDateTime } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { PasswordField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'

const STATE_CLASSES = { running: 'text-gold', ready: undefined, failed: 'text-sunset' } as const

function stateLabel({ state, encrypted }: Archive): string {
  if (state === 'running') return 'In progress'
  if (state === 'failed') return 'Failed'
  return encrypted ? 'Ready, encrypted' : 'Ready'
}

const archiveList: AdminListDefinition<'/api/admin/archives', Archive> = {
  name: 'archives',
  title: 'Archives',
  endpoint: archivesApi.list,
  urlPrefix: 'archives.',
  nameOf: (row) => `Archive of ${formatDateTime(row.requestedAt)}`,
  refetchInterval: (rows) => (rows.some(({ state }) => state === 'running') ? 2_000 : false),
  empty: 'No archives yet. Create the first one above.',
  columns: [
    {
      id: 'requestedAt',
      header: 'Created',
      cell: (row) => (
        <span className="tabular-figures">
          {formatDateTime(row.requestedAt)}{' '}
          <span className="whitespace-nowrap text-muted">
            {row.requestedBy ? `by ${row.requestedBy}` : 'weekly or by command line'}
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      cell: (row) => <span className={STATE_CLASSES[row.state]}>{stateLabel(row)}</span>,
    },
    { id: 'rows', header: 'Rows', cell: (row) => row.rows !== null && formatCount(row.rows), isNumeric: true },
    { id: 'files', header: 'Files', cell: (row) => row.files !== null && formatCount(row.files), isNumeric: true },
    {
      id: 'size',
      header: 'Size',
      cell: (row) => row.sizeBytes !== null && formatBytes(row.sizeBytes),
      isNumeric: true,
    },
    {
      id: 'expiresAt',
      header: 'Expires',
      cell: (row) => row.expiresAt && <span className="tabular-figures">{formatDateTime(row.expiresAt)}</span>,
    },
  ],
}

export function ArchivesPanel() {
  const [passphrase, setPassphrase] = useState('')
  const request = useAdminMutation(
    () => call(archivesApi.request, { body: passphrase === '' ? {} : { passphrase } }),
    ['archives', 'system'],
  )

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (request.isPending) return
    request.mutate(undefined, {
      onSuccess: () => {
        setPassphrase('')
        toast({ title: 'Archive started', text: 'It appears below and is ready in a few minutes.' })
      },
      onError: toastError('Archive failed'),
    })
  }

  return (
    <AdminList
      list={archiveList}
      note={`Everything on the site in one file: all rows and all files. We create one every week and keep it for ${RETENTION.archiveDays} days. Owners can create and download them; docs/operations.md says how to restore one.`}
      actions={(row) =>
        row.state === 'ready' && (
          <a
            href={fillPath(archivesApi.file.path, { id: row.id })}
            download
            aria-label={`Download the archive of ${formatDateTime(row.requestedAt)}`}
            className={buttonClass('text')}
            onClick={(event) => {
              event.preventDefault()
              void downloadFile(archivesApi.file, row.id)
            }}
          >
            <Download size={18} aria-hidden />
            Download
          </a>
        )
      }
    >
      <form className="mb-8 flex flex-wrap items-start gap-4" onSubmit={onSubmit}>
        <PasswordField
          label="Passphrase"
          hint={`Optional. At least ${MIN_PASSPHRASE_LENGTH} characters; no one can open the archive without it.`}
          className="w-full max-w-sm"
          autoComplete="new-password"
          minLength={MIN_PASSPHRASE_LENGTH}
          maxLength={200}
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <Button type="submit" variant="primary" className="sm:mt-7" aria-disabled={request.isPending}>
          Create an archive
        </Button>
      </form>
    </AdminList>
  )
}

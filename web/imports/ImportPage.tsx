import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Import, type ImportSettings, importsApi } from '../../worker/contract/imports'
import { useAdminMutation } from '../admin/admin.queries'
import { Panel } from '../admin/Panel'
import { RecordHeader } from '../admin/RecordHeader'
import { toScreen, useScreenParam } from '../admin/screen-location'
import { call } from '../api/call'
import { formatCount, formatCountOf, formatDate, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { ImportReport } from './ImportReport'
import { ImportSettingsForm } from './ImportSettingsForm'
import { importQuery, isInProgress } from './imports.queries'

/** /admin/imports/$id: columns, dry run, import, report and undo of one file. */
export function ImportPage() {
  const query = useQuery(importQuery(useScreenParam('id')))
  return (
    <>
      <RecordHeader back="imports" title={query.data?.fileName ?? 'Import'} />
      <QueryBoundary
        query={query}
        loading={{ className: 'h-80', label: 'Loading the import' }}
        error="This import could not be loaded. Its file may have been deleted."
      >
        {(record) => (
          <>
            <p className="-mt-4 mb-8 text-sm text-muted">
              {formatCountOf(record.rows, 'row')}, uploaded {formatDateTime(record.requestedAt)} by {record.requestedBy}
            </p>
            <ImportSteps key={record.id} record={record} />
          </>
        )}
      </QueryBoundary>
    </>
  )
}

const PROGRESS_LABELS: Partial<Record<Import['state'], string>> = {
  checking: 'Checking',
  importing: 'Importing',
  undoing: 'Undoing',
}

function ImportSteps({ record }: { record: Import }) {
  const [hasUncheckedChanges, setHasUncheckedChanges] = useState(false)
  const check = useAdminMutation((body: ImportSettings) => call(importsApi.check, { id: record.id, body }), ['imports'])
  const isBeforeImport = record.state === 'uploaded' || record.state === 'checked' || record.state === 'checking'
  const isReportCurrent = !isInProgress(record) && !(isBeforeImport && hasUncheckedChanges)
  return (
    <>
      {record.importedBeforeAt && record.state !== 'imported' && (
        <p className="mb-8 border-l-4 border-gold bg-sleeve p-5">
          {`You already imported this file on ${formatDate(record.importedBeforeAt)}. Rows that are already here are left as they are.`}
        </p>
      )}
      {isBeforeImport && (
        <Panel title="Columns" note="We have filled in what we recognize. Check it, and change what is wrong.">
          <ImportSettingsForm
            record={record}
            isPending={check.isPending || record.state === 'checking'}
            onChange={() => setHasUncheckedChanges(true)}
            onCheck={(settings) =>
              check.mutate(settings, {
                onSuccess: () => setHasUncheckedChanges(false),
                onError: toastError('Not checked'),
              })
            }
          />
        </Panel>
      )}
      {isInProgress(record) && <Progress record={record} />}
      {record.state === 'checked' && !hasUncheckedChanges && <ImportAction record={record} />}
      {record.state === 'expired' && (
        <p className="border-l-4 border-rule-strong bg-sleeve p-5">
          The file has been deleted without being imported. Choose it again.
        </p>
      )}
      {record.state === 'failed' && (
        <p role="alert" className="border-l-4 border-sunset bg-sleeve p-5">
          The import or its undo stopped halfway. Undo the import, then you can choose the file again.
        </p>
      )}
      {(record.state === 'imported' || record.state === 'failed') && <UndoAction record={record} />}
      {isReportCurrent && <ImportReport record={record} />}
      {isBeforeImport && <DiscardAction record={record} />}
    </>
  )
}

const Progress = ({ record }: { record: Import }) => (
  <div role="status" className="mt-10 max-w-xl">
    <p>
      {PROGRESS_LABELS[record.state]}{' '}
      <span className="tabular-figures">{formatCount(Math.min(record.done, record.rows))}</span> of{' '}
      {formatCountOf(record.rows, 'row')}. You can leave this page.
    </p>
    <progress
      className="progress-bar mt-3 w-full border border-rule-strong bg-background"
      aria-label={PROGRESS_LABELS[record.state]}
      value={record.done}
      max={record.rows}
    />
  </div>
)

const countImportableRows = ({ rows, counts }: Import) => rows - (counts?.skipped ?? 0)

function ImportAction({ record }: { record: Import }) {
  const start = useAdminMutation(
    () => call(importsApi.start, { id: record.id, body: { run: record.run } }),
    ['imports'],
  )
  const importableCount = countImportableRows(record)
  if (importableCount === 0)
    return <p className="mt-10 border-l-4 border-rule-strong bg-sleeve p-5">There is nothing to import in this file.</p>
  return (
    <div className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-3 border border-gold p-5">
      <p className="max-w-prose flex-1 basis-60">Checked. Nothing has changed yet.</p>
      <Button
        variant="primary"
        aria-disabled={start.isPending}
        onClick={() => start.isPending || start.mutate(undefined, { onError: toastError('Not imported') })}
      >
        Import {formatCountOf(importableCount, 'row')}
      </Button>
    </div>
  )
}

function UndoAction({ record }: { record: Import }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const undo = useAdminMutation(() => call(importsApi.undo, { id: record.id }), ['imports'])
  if (record.undoUntil === null || Date.parse(record.undoUntil) < Date.now()) return null
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 pt-4">
      <Button onClick={() => setIsConfirming(true)}>Undo this import</Button>
      <p className="text-sm text-muted">Possible until {formatDate(record.undoUntil)}.</p>
      {isConfirming && (
        <ConfirmDialog
          title={`Undo the import of ${record.fileName}?`}
          confirmLabel="Undo the import"
          pending={undo.isPending}
          onClose={() => setIsConfirming(false)}
          onConfirm={() =>
            undo.mutate(undefined, { onSuccess: () => setIsConfirming(false), onError: toastError('Not undone') })
          }
        >
          <p>
            This removes the rows that the import added, except those that have been changed since, which the report
            lists. You can import the file again.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function DiscardAction({ record }: { record: Import }) {
  const navigate = useNavigate()
  const discard = useAdminMutation(() => call(importsApi.discard, { id: record.id }), ['imports'])
  return (
    <div className="mt-12 border-t border-rule pt-6">
      <Button
        variant="text"
        className="-ml-3"
        aria-disabled={discard.isPending}
        onClick={() =>
          discard.isPending ||
          discard.mutate(undefined, {
            onSuccess: () => {
              toast({ title: 'File deleted' })
              void navigate(toScreen('imports'))
            },
            onError: toastError('Not deleted'),
          })
        }
      >
        Delete this file without importing it
      </Button>
    </div>
  )
}

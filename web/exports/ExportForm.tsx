import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ExportKind, ExportRequest } from '../../worker/contract/exports'
import { toOptions } from '../admin/list/list-definition'
import { capitalize, formatCount, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { SelectField } from '../ui/Field'
import { GroupError } from '../ui/FormError'
import { toast, toastError } from '../ui/toast'
import { EXPORT_LABELS, exportColumns, exportSchedules, useScheduleExport } from './exports.queries'

type Props = { isRequesting: boolean; onRequest: (exportRequest: ExportRequest) => void }

/** Form to export a list with the chosen columns, once or every week. */
export function ExportForm({ isRequesting, onRequest }: Props) {
  const [kind, setKind] = useState<ExportKind>('supporters')
  /** Columns that are left out. */
  const [omitted, setOmitted] = useState<ReadonlySet<string>>(new Set())
  const { data: allColumns } = useQuery(exportColumns)
  const { data: schedules } = useQuery(exportSchedules)
  const scheduleExport = useScheduleExport()
  const columns = allColumns?.find((row) => row.kind === kind)?.columns ?? []
  const chosen = columns.filter((column) => !omitted.has(column))
  const isEmpty = columns.length > 0 && chosen.length === 0
  const isWeekly = schedules?.some((row) => row.isOwn && row.kind === kind) ?? false
  const exportRequest: ExportRequest = { kind, ...(chosen.length < columns.length && { columns: chosen }) }
  const exportWeekly = () =>
    scheduleExport.mutate(exportRequest, {
      onSuccess: ({ nextAt, email }) =>
        toast({
          title: isWeekly ? 'Weekly export changed' : 'Weekly export set up',
          text: `The next link goes to ${email} on ${formatDateTime(nextAt)}.`,
        }),
      onError: toastError(isWeekly ? 'Not changed' : 'Not set up'),
    })
  return (
    <div className="mb-8 border border-rule bg-sleeve p-5 md:p-7">
      <div className="flex flex-wrap items-end gap-4">
        <SelectField
          label="Data"
          className="w-full max-w-xs"
          value={kind}
          onChange={(event) => {
            setKind(event.currentTarget.value as ExportKind)
            setOmitted(new Set())
          }}
          options={toOptions(EXPORT_LABELS)}
        />
        <Button
          variant="primary"
          aria-disabled={isRequesting || isEmpty}
          onClick={() => !isEmpty && onRequest(exportRequest)}
        >
          Export
        </Button>
        <Button
          aria-disabled={scheduleExport.isPending || isEmpty}
          onClick={() => !scheduleExport.isPending && !isEmpty && exportWeekly()}
        >
          {isWeekly ? 'Change the weekly export' : 'Export every week'}
        </Button>
      </div>
      {columns.length > 0 && <ColumnChoice {...{ columns, omitted }} onChange={setOmitted} />}
      {isEmpty && <GroupError>Choose at least one column.</GroupError>}
    </div>
  )
}

type ColumnChoiceProps = {
  columns: readonly string[]
  omitted: ReadonlySet<string>
  onChange: (omitted: ReadonlySet<string>) => void
}

function ColumnChoice({ columns, omitted, onChange }: ColumnChoiceProps) {
  const id = useId()
  const chosenCount = columns.filter((column) => !omitted.has(column)).length
  function toggle(column: string) {
    const next = new Set(omitted)
    if (omitted.has(column)) next.delete(column)
    else next.add(column)
    onChange(next)
  }
  return (
    <details className="mt-4">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-muted hover:text-ivory">
        {chosenCount === columns.length
          ? `All ${formatCount(columns.length)} columns`
          : `${formatCount(chosenCount)} of ${formatCount(columns.length)} columns`}
      </summary>
      <fieldset aria-labelledby={id} className="mt-2">
        <legend id={id} className="sr-only">
          Columns
        </legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-6">
          {columns.map((column) => (
            <label key={column} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-gold"
                checked={!omitted.has(column)}
                onChange={() => toggle(column)}
              />
              <span className="wrap-anywhere">{columnLabel(column)}</span>
            </label>
          ))}
        </div>
        <div className="mt-2 -ml-3 flex flex-wrap">
          <Button variant="text" onClick={() => onChange(new Set())}>
            Choose all
          </Button>
          <Button variant="text" onClick={() => onChange(new Set(columns))}>
            Choose none
          </Button>
        </div>
      </fieldset>
    </details>
  )
}

/** Turns `emailVerified` into 'Email verified'. */
const columnLabel = (column: string): string => capitalize(column.replace(/([A-Z])/g, ' $1').toLowerCase())

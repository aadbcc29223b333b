import { type FormEvent, useState } from 'react'
import {
  type ColumnMapping,
  IMPORT_CONSENT_TEXT,
  IMPORT_KINDS,
  type Import,
  type ImportField,
  type ImportKind,
  type ImportSettings,
  importKindDefinition,
  mapColumns,
  missingFields,
} from '../../worker/contract/imports'
import { toOptions } from '../admin/list/list-definition'
import { Button } from '../ui/Button'
import { CheckField, SelectField } from '../ui/Field'

type Props = {
  record: Import
  isPending: boolean
  onCheck: (settings: ImportSettings) => void
  /** Called after every change, which makes the last check outdated. */
  onChange: () => void
}

/** Values of the options 'Not in this file' and 'Choose'. */
const NO_COLUMN = ''
const NO_KIND = ''

/** The file's kind, the meaning of its columns, and whether its contacts agreed to the newsletter. */
export function ImportSettingsForm({ record, isPending, onCheck, onChange }: Props) {
  const [kind, setKind] = useState<ImportKind | null>(record.kind)
  const [mapping, setMapping] = useState<ColumnMapping>(record.mapping)
  const [consentAttested, setConsentAttested] = useState(record.consentAttested)
  const missingColumns = kind === null ? [] : missingFields(kind, mapping)
  const hasContacts = kind !== null && IMPORT_KINDS[kind].rows === 'contacts'

  const columnOptions = [
    { value: NO_COLUMN, label: 'Not in this file' },
    ...record.headers.map((header, index) => ({
      value: String(index),
      label: header === '' || isRepeated(record.headers, header) ? `${header} (column ${index + 1})`.trim() : header,
    })),
  ]
  const chooseKind = (chosen: ImportKind | null) => {
    setKind(chosen)
    setMapping(chosen === null ? {} : mapColumns(chosen, record.headers))
    onChange()
  }
  const chooseColumn = (field: ImportField, value: string) => {
    const { [field]: _, ...others } = mapping
    setMapping(value === NO_COLUMN ? others : { ...others, [field]: Number(value) })
    onChange()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || kind === null || missingColumns.length > 0) return
    onCheck({ kind, mapping, consentAttested: hasContacts && consentAttested })
  }

  return (
    <form onSubmit={onSubmit}>
      <SelectField
        label="What this file is"
        className="max-w-md"
        value={kind ?? NO_KIND}
        error={kind === null ? 'We don’t recognize these columns. Choose what the file is.' : undefined}
        onChange={(event) => chooseKind((event.currentTarget.value || null) as ImportKind | null)}
        options={[...(kind === null ? [{ value: NO_KIND, label: 'Choose' }] : []), ...toOptions(IMPORT_KINDS)]}
      />
      {kind !== null && (
        <fieldset className="mt-8">
          <legend className="font-label text-muted">Columns</legend>
          <div className="mt-4 grid gap-x-8 gap-y-6 sm:grid-cols-2 xl:grid-cols-3">
            {Object.entries(importKindDefinition(kind).fields).map(([field, { label, required }]) => (
              <SelectField
                key={field}
                label={label}
                showsRequired={required}
                value={String(mapping[field as ImportField] ?? NO_COLUMN)}
                error={required && mapping[field as ImportField] === undefined ? 'Choose a column.' : undefined}
                onChange={(event) => chooseColumn(field as ImportField, event.currentTarget.value)}
                options={columnOptions}
              />
            ))}
          </div>
        </fieldset>
      )}
      {hasContacts && (
        <CheckField
          label={IMPORT_CONSENT_TEXT}
          hint="Only then do rows with a date of agreement join the newsletter. Everyone else becomes a contact, whom we never email."
          className="mt-8 max-w-prose"
          checked={consentAttested}
          onChange={(event) => {
            setConsentAttested(event.currentTarget.checked)
            onChange()
          }}
        />
      )}
      {missingColumns.length > 0 && (
        <p role="alert" className="mt-6 text-sunset">
          {`Still missing: ${missingColumns.join(', ')}.`}
        </p>
      )}
      <Button
        type="submit"
        variant="primary"
        className="mt-8"
        aria-disabled={isPending || kind === null || missingColumns.length > 0}
      >
        Check the file
      </Button>
    </form>
  )
}

const isRepeated = (headers: readonly string[], header: string) => headers.filter((name) => name === header).length > 1

import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import type * as z from 'zod/mini'
import { errorMessage, hasCode } from '../api/call'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { FormError } from '../ui/FormError'
import { toast } from '../ui/toast'
import { AutosaveHint, RestoredDraftNotice } from './FormDraftNotices'
import { type PreviewComponent, WithPreview } from './FormPreview'
import { errorAt, type FieldDefinition, RecordField } from './RecordField'
import { isSame, mergeRecords, valueAt } from './save-conflict'
import { type Autosave, useFormDraft } from './useFormDraft'
import { useSaveConflict } from './useSaveConflict'

export type RecordFormProps<In extends FieldValues, Out> = {
  schema: z.ZodMiniType<Out, In>
  fields: readonly FieldDefinition<In>[]
  values: DefaultValues<In>
  /** Sends the record; an error is shown above the button. */
  save: (record: Out) => Promise<unknown>
  /** A warning shown above the button; it does not prevent saving. */
  warn?: (draft: In) => string | undefined
  /** Text of the toast after saving. */
  savedText?: (record: Out) => string | undefined
  onSaved?: () => void
  onDirty?: (dirty: boolean) => void
  /** Saves the typed values on this device; a draft of an earlier visit is shown instead of `values`. */
  autosave?: Autosave
  /** Reads the stored record as a draft, to show its differences after a `conflict` error. */
  readLatest?: () => Promise<In | undefined>
  /** For a new record: reads the record that `save` created, from its result. Undefined if it can't be edited. */
  readCreated?: (saved: unknown) => Promise<CreatedRecord<In> | undefined>
  /** Shows what visitors see, beside the form. */
  preview?: PreviewComponent<In>
  /** Shows the preview under the fields, collapsed, in wide windows too: for long texts. */
  isPreviewInline?: boolean
  /** The record's id, for the preview. */
  recordId?: string
}

/** A record that was just added: the id of its form (as in `useAutosave`) and its values. */
export type CreatedRecord<In> = { formId: string; values: In }

/** A record's form, validated by the contract's schema. */
export function RecordForm<In extends FieldValues, Out>(props: RecordFormProps<In, Out>) {
  const { schema, values, save, warn, savedText, onSaved, onDirty, autosave, readLatest, readCreated } = props
  // `base`: the stored values that the typed ones change. A restored draft has its own, which may be outdated.
  const form = useSchemaForm<In, Out>(schema, (autosave?.restored?.base as DefaultValues<In> | undefined) ?? values)
  const draft = form.watch()
  const fields = props.fields.filter(({ when }) => when?.(draft) ?? true)
  const [uploadCount, setUploadCount] = useState(0)
  const conflict = useSaveConflict({
    fields: props.fields,
    getBase: () => form.formState.defaultValues ?? values,
    getMine: form.getValues,
    apply: (merged) => form.reset(merged, { keepDefaultValues: true }),
    readLatest,
  })
  const remountKey = useFormDraft(form, autosave)
  const [discardCount, setDiscardCount] = useState(0)
  const { errors, isSubmitting, isSubmitted, isDirty } = form.formState
  const invalidLabels = fields.filter(({ name }) => isSubmitted && errorAt(errors, name)).map(({ label }) => label)
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  const onUploadingChange = (isUploading: boolean) => setUploadCount((count) => count + (isUploading ? 1 : -1))
  const submit = form.handleSubmit(async (record) => {
    const submitted = structuredClone(form.getValues())
    try {
      const saved = await save(record)
      const hasChangedSince = !isSame(form.getValues(), submitted)
      const created = hasChangedSince ? await readCreated?.(saved).catch(() => undefined) : undefined
      autosave?.clear()
      toast({ title: 'Saved', text: savedText?.(record) ?? 'It is on the site.' })
      const typedValues = form.getValues()
      form.reset(withNextVersion(submitted))
      // Values typed during the save become a draft of the saved record.
      if (!isSame(typedValues, submitted)) {
        form.reset(withNextVersion(typedValues), { keepDefaultValues: true })
        if (!readCreated)
          autosave?.save(() => ({ base: withNextVersion(submitted), values: withNextVersion(typedValues) }))
        else if (created) saveAsDraftOf(created, typedValues, submitted)
      }
      onSaved?.()
    } catch (error) {
      if (hasCode(error, 'conflict') && (await conflict.showConflicts())) return
      form.setError('root', { message: errorMessage(error as Error) })
    }
  })
  /** Saves what was typed since the submission as a draft of the record that it created. */
  function saveAsDraftOf(created: CreatedRecord<In>, typed: In, submitted: In): void {
    const unchanged = props.fields.filter(({ name }) => isSame(valueAt(typed, name), valueAt(submitted, name)))
    const versions = { mine: typed, theirs: created.values }
    const merged = mergeRecords(props.fields, versions, new Set(unchanged.map(({ name }) => name)))
    autosave?.save(() => ({ base: created.values, values: merged }), created.formId)
  }
  const discardDraft = () => {
    autosave?.clear()
    form.reset(values)
    setDiscardCount(discardCount + 1)
  }
  const warning = warn?.(draft)
  const isBlocked = isSubmitting || uploadCount > 0
  const saveLabel = uploadCount > 0 ? 'Sending a file' : 'Save'
  return (
    <WithPreview preview={props.preview} isInline={props.isPreviewInline} draft={draft} id={props.recordId}>
      {(inlinePreview) => (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            // This form may be in a dialog that another form renders, and React events bubble to that form.
            event.stopPropagation()
            // Saving during an upload would store the previous file.
            if (isBlocked) return
            conflict.resolve()
            void submit(event)
          }}
          className="grid gap-6 *:min-w-0 sm:grid-cols-2"
        >
          {autosave && <RestoredDraftNotice autosave={autosave} onDiscard={discardDraft} className="sm:col-span-2" />}
          {fields.map((field) => (
            <RecordField
              key={`${remountKey} ${discardCount} ${conflict.remountKey} ${field.name}`}
              field={field}
              form={form}
              onUploadingChange={onUploadingChange}
            />
          ))}
          {inlinePreview}
          {warning && <p className="text-gold sm:col-span-2">{warning}</p>}
          {invalidLabels.length > 0 && (
            <p role="alert" className="text-sunset sm:col-span-2">
              Please check: {invalidLabels.join(', ')}.
            </p>
          )}
          <FormError className="sm:col-span-2">{errors.root?.message}</FormError>
          {conflict.panel}
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2 sm:col-span-2">
            <Button type="submit" variant="primary" aria-disabled={isBlocked}>
              {isSubmitting ? 'Saving' : saveLabel}
            </Button>
            {autosave && <AutosaveHint autosave={autosave} />}
          </div>
        </form>
      )}
    </WithPreview>
  )
}

/** Increments the version, for a form that stays open after saving. */
const withNextVersion = <In extends FieldValues>(values: In): In =>
  typeof values.version === 'number' ? { ...values, version: values.version + 1 } : values

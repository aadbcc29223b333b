import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import {
  Controller,
  type ControllerRenderProps,
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { errorMessage, hasCode } from '../api/call'
import { centsToDollars, getCurrency, parseCents } from '../lib/format'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { CheckField, SelectField, TextAreaField, TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { toast } from '../ui/toast'
import { AudioField } from '../uploads/AudioField'
import { ImageField, ImagesField } from '../uploads/ImageField'
import type { ImageCropName } from '../uploads/upload-image'
import { AutosaveHint, RestoredDraftNotice } from './FormDraftNotices'
import { type PreviewComponent, WithPreview } from './FormPreview'
import { isSame, mergeRecords, valueAt } from './save-conflict'
import { type Autosave, useFormDraft } from './useFormDraft'
import { useSaveConflict } from './useSaveConflict'

/**
 * One field of a record's form. `number` and `dollars` (stored as cents) are null while empty; `lines` is a string
 * list.
 */
export type FieldDefinition<In> = {
  name: Path<In & FieldValues>
  label: string
  optional?: boolean
  hint?: string
  /** Spans both columns. */
  wide?: boolean
  /** Formats the value for the choice after a conflict, if `kind` does not suffice. */
  describe?: (value: unknown) => string
  /** Shows the field only if this is true for the record in the form. */
  when?: (draft: In) => boolean
} & (
  | {
      kind?: 'text'
      /** Parses the typed text into values for this field and for other, empty fields; null if it contains none. */
      parse?: (text: string) => Partial<In> | null
    }
  | { kind: 'number' | 'dollars' | 'checkbox' | 'date' | 'time' | 'url' | 'lines' }
  | { kind: 'textarea'; rows?: number }
  | { kind: 'select'; options: readonly { value: string; label: string }[] }
  | { kind: 'image'; crop: ImageCropName }
  | { kind: 'images'; crop: ImageCropName; max: number }
  /** Writes the audio file's duration in seconds to `durationField`. */
  | { kind: 'audio'; durationField: Path<In & FieldValues>; pickerId?: string }
  /** Omitted from the record while empty. */
  | { kind: 'slug' }
  | { kind: 'custom'; render: (control: CustomControl<In>) => ReactNode }
)

/** Hint of an image's description. */
export const ALT_HINT = 'What it shows, for people who can’t see it.'

/** Props of a `custom` field. */
type CustomControl<In> = {
  value: unknown
  onChange: (value: unknown) => void
  error?: string
  /** Errors of list items, by index. */
  itemErrors?: readonly (object | undefined)[]
  /** The record as currently typed. */
  draft: In
  onUploadingChange: (isUploading: boolean) => void
}

export type RecordFormProps<In extends FieldValues, Out> = {
  schema: z.ZodMiniType<Out, In>
  fields: readonly FieldDefinition<In>[]
  values: DefaultValues<In>
  /** Sends the record; an error is shown above the button. */
  save: (record: Out) => Promise<unknown>
  /** A warning shown above the button; it does not prevent saving. */
  warn?: (draft: In) => string | undefined
  /** Text of the toast after saving. */
  savedText?: (record: Out) => string
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

type RecordFieldProps<In extends FieldValues, Out> = {
  field: FieldDefinition<In>
  form: UseFormReturn<In, unknown, Out>
  onUploadingChange: (isUploading: boolean) => void
}

function RecordField<In extends FieldValues, Out>({ field, form, onUploadingChange }: RecordFieldProps<In, Out>) {
  const { name, label, hint, optional = false } = field
  const fieldError = errorAt(form.formState.errors, name)
  const itemErrors = Array.isArray(fieldError) ? fieldError : undefined
  const error = (fieldError as { message?: string } | undefined)?.message
  const wideClass = 'sm:col-span-2'
  const commonProps = { label, hint, error, required: !optional, className: field.wide ? wideClass : undefined }
  const controlled = (render: (control: ControllerRenderProps) => ReactNode) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field: control }) => <>{render(control as unknown as ControllerRenderProps)}</>}
    />
  )
  // File fields have no blur event, so they are validated on change.
  const setFile = (next: unknown) => form.setValue(name, next as never, { shouldDirty: true, shouldValidate: true })

  switch (field.kind) {
    case 'checkbox':
      return <CheckField {...{ label, hint, error }} {...form.register(name)} />
    case 'textarea':
      return <TextAreaField {...commonProps} className={wideClass} rows={field.rows ?? 4} {...form.register(name)} />
    case 'number':
      return <TextField {...commonProps} inputMode="numeric" {...form.register(name, { setValueAs: parseNumber })} />
    case 'select':
      return <SelectField {...commonProps} options={field.options} {...form.register(name)} />
    case 'dollars':
      return controlled(({ name, value, onBlur, onChange }) => (
        <MoneyField {...commonProps} {...{ name, value, onBlur, onChange }} />
      ))
    case 'image':
      return controlled(({ value }) => (
        <ImageField
          {...{ label, hint, error, onUploadingChange }}
          onChange={setFile}
          value={value ?? ''}
          cropName={field.crop}
          className={wideClass}
        />
      ))
    case 'images':
      return controlled(({ value }) => (
        <ImagesField
          {...{ label, onUploadingChange }}
          onChange={setFile}
          value={value ?? []}
          cropName={field.crop}
          max={field.max}
          errors={itemErrors}
        />
      ))
    case 'audio':
      return controlled(({ value }) => (
        <AudioField
          {...{ label, error, onUploadingChange }}
          onChange={setFile}
          value={value ?? null}
          pickerId={field.pickerId}
          onDuration={(seconds) => form.setValue(field.durationField, seconds as never, { shouldValidate: true })}
        />
      ))
    case 'slug':
      return <TextField {...commonProps} {...form.register(name, { setValueAs: (value) => value || undefined })} />
    case 'custom':
      return controlled(({ value }) =>
        field.render({
          value,
          onChange: (next) =>
            form.setValue(name, next as never, { shouldDirty: true, shouldValidate: form.formState.isSubmitted }),
          error,
          itemErrors,
          draft: form.watch() as In,
          onUploadingChange,
        }),
      )
    case 'lines':
      return controlled(({ value, onBlur, onChange }) => (
        <TextAreaField
          {...commonProps}
          error={error ?? itemErrors?.find((item) => item?.message)?.message}
          className={wideClass}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onBlur={onBlur}
          onChange={(event) => onChange(event.target.value.split('\n'))}
        />
      ))
    case 'date':
    case 'time':
    case 'url':
      return <TextField {...commonProps} type={field.kind} {...form.register(name)} />
    default: {
      const { onBlur, ...registered } = form.register(name)
      const fill = (text: string) => {
        for (const [filled, value] of Object.entries(field.parse?.(text) ?? {}))
          if (filled === name || !form.getValues(filled as typeof name))
            form.setValue(filled as typeof name, value, {
              shouldDirty: true,
              shouldValidate: form.formState.isSubmitted,
            })
      }
      return (
        <TextField
          {...commonProps}
          type="text"
          {...registered}
          onBlur={(event) => {
            fill(event.target.value)
            void onBlur(event)
          }}
        />
      )
    }
  }
}

const parseNumber = (value: unknown) => (value === '' || value === null ? null : Number(value))

/** The error of a field; its name may be a path, such as `links.tiktok`. */
const errorAt = (errors: object, name: string): unknown =>
  name.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], errors)

type MoneyFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  /** Integer cents. */
  value: number | null | undefined
  /** Called with null while the text is not a valid amount. */
  onChange: (cents: number | null) => void
}

/** An amount of money, typed in major units. */
export function MoneyField({ value, onChange, ...field }: MoneyFieldProps) {
  const [text, setText] = useState(() => (typeof value === 'number' ? centsToDollars(value) : ''))
  return (
    <TextField
      {...field}
      inputMode="decimal"
      after={<span className="text-muted">{getCurrency()}</span>}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(parseCents(event.target.value))
      }}
    />
  )
}

import { type ComponentProps, type ReactNode, useState } from 'react'
import {
  Controller,
  type ControllerRenderProps,
  type FieldValues,
  type Path,
  type UseFormReturn,
} from 'react-hook-form'
import { formatCents, getCurrency, parseCents } from '../lib/format'
import { CheckField, SelectField, TextAreaField, TextField } from '../ui/Field'
import { AudioField } from '../uploads/AudioField'
import { ImageField, ImagesField } from '../uploads/ImageField'
import type { ImageCropName } from '../uploads/image-crop'

/**
 * One field of a record's form. `number` and `money` (stored as cents) are null while empty; `lines` is a string
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
  | { kind: 'number' | 'money' | 'checkbox' | 'date' | 'time' | 'url' | 'lines' }
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

type RecordFieldProps<In extends FieldValues, Out> = {
  field: FieldDefinition<In>
  form: UseFormReturn<In, unknown, Out>
  onUploadingChange: (isUploading: boolean) => void
}

export function RecordField<In extends FieldValues, Out>({
  field,
  form,
  onUploadingChange,
}: RecordFieldProps<In, Out>) {
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
    case 'money':
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
export const errorAt = (errors: object, name: string): unknown =>
  name.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], errors)

type MoneyFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  /** Integer cents. */
  value: number | null | undefined
  /** Called with null while the text is not a valid amount. */
  onChange: (cents: number | null) => void
}

/** An amount of money, typed in major units. */
export function MoneyField({ value, onChange, ...field }: MoneyFieldProps) {
  const [text, setText] = useState(() => (typeof value === 'number' ? formatCents(value) : ''))
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

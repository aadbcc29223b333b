import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Controller } from 'react-hook-form'
import { CheckField, SelectField, TextAreaField, TextField } from '../ui/Field'
import { AudioField } from '../uploads/AudioField'
import { ImageField } from '../uploads/ImageField'
import { ImagesField } from '../uploads/ImagesField'
import type { ImageCropName } from '../uploads/image-crops'
import { DollarField } from './DollarField'

type FieldKind = 'text' | 'area' | 'figure' | 'dollars' | 'check' | 'date' | 'time' | 'url' | 'audio' | 'lines'

/** One line of a form. `figure` is a number; `optional` ones may stay empty and are then null. `lines` is a list. */
export type FieldDefinition<In> = {
  name: Path<In & FieldValues>
  label: string
  optional?: boolean
  hint?: string
  /** Over both columns. */
  wide?: boolean
} & (
  | { kind?: FieldKind }
  | { kind: 'area'; rows: number }
  | { kind: 'picture'; shape: ImageCropName }
  | { kind: 'pictures'; shape: ImageCropName; most: number }
  | { kind: 'audio'; lengthInto: Path<In & FieldValues> }
  | { kind: 'choice'; of: readonly { value: string; label: string }[] }
)

type Props<In extends FieldValues, Out> = {
  field: FieldDefinition<In>
  form: UseFormReturn<In, unknown, Out>
  onBusy: (busy: boolean) => void
}

const parseNumber = (value: unknown) => (value === '' || value === null ? null : Number(value))

/** A field of a record's form, by its kind. */
export function RecordField<In extends FieldValues, Out>({ field, form, onBusy }: Props<In, Out>) {
  const { name, label, hint, optional = false } = field
  const found = errorAt(form.formState.errors, name)
  const error = (found as { message?: string } | undefined)?.message
  const shared = { label, hint, error, required: !optional, className: field.wide ? 'sm:col-span-2' : undefined }
  const { kind = 'text' } = field

  if (kind === 'check') return <CheckField {...{ label, hint, error }} {...form.register(name)} />
  if (kind === 'area')
    return (
      <TextAreaField
        {...shared}
        className="sm:col-span-2"
        rows={'rows' in field ? field.rows : 4}
        {...form.register(name)}
      />
    )
  if (kind === 'figure')
    return <TextField {...shared} inputMode="numeric" {...form.register(name, { setValueAs: parseNumber })} />
  if (field.kind === 'choice') return <SelectField {...shared} options={field.of} {...form.register(name)} />
  if (['text', 'date', 'time', 'url'].includes(kind))
    return <TextField {...shared} type={kind} {...form.register(name)} />
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onBlur, ...held } }) => {
        // What was chosen is checked at once: there is no leaving such a field.
        const onChange = (next: unknown) =>
          form.setValue(name, next as never, { shouldDirty: true, shouldValidate: true })
        if (kind === 'dollars')
          return <DollarField {...shared} name={held.name} value={value} onBlur={onBlur} onChange={held.onChange} />
        if (field.kind === 'picture')
          return (
            <ImageField
              {...{ label, hint, error, onChange, onBusy }}
              value={value ?? ''}
              cropName={field.shape}
              className="sm:col-span-2"
            />
          )
        if (field.kind === 'pictures')
          return (
            <ImagesField
              {...{ label, onChange, onBusy }}
              value={value ?? []}
              cropName={field.shape}
              max={field.most}
              errors={Array.isArray(found) ? found : undefined}
            />
          )
        if (field.kind === 'audio' && 'lengthInto' in field)
          return (
            <AudioField
              {...{ label, error, onChange, onBusy }}
              value={value ?? null}
              onDuration={(seconds) => form.setValue(field.lengthInto, seconds as never, { shouldValidate: true })}
            />
          )
        return (
          <TextAreaField
            {...shared}
            error={error ?? (Array.isArray(found) ? found.find((item) => item?.message)?.message : undefined)}
            className="sm:col-span-2"
            value={Array.isArray(value) ? value.join('\n') : ''}
            onBlur={onBlur}
            onChange={(event) => held.onChange(event.target.value.split('\n'))}
          />
        )
      }}
    />
  )
}

/** What is wrong with a field, which may stand inside of another: `links.tiktok`. */
const errorAt = (errors: object, name: string): unknown =>
  name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], errors)

import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import type * as z from 'zod/mini'
import { errorMessage } from '../auth/error-message'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { type FieldDefinition, RecordField } from './RecordField'
import { useSchemaForm } from './useContractForm'

type Props<In extends FieldValues, Out> = {
  schema: z.ZodMiniType<Out, In>
  fields: readonly FieldDefinition<In>[]
  values: DefaultValues<In>
  /** Sends it; a refusal stands above the button. */
  save: (draft: Out) => Promise<unknown>
  /** What is allowed and perhaps not meant: said above the button while it is so. */
  warn?: (draft: In) => string | undefined
  onSaved?: () => void
  /** Told whenever something is filled in that is not saved, or no longer is. */
  onDirty?: (dirty: boolean) => void
}

/** A record's form, checked by the contract's schema while it is filled in. */
export function RecordForm<In extends FieldValues, Out>({
  schema,
  fields,
  values,
  save,
  warn,
  onSaved,
  onDirty,
}: Props<In, Out>) {
  const form = useSchemaForm<In, Out>(schema, values)
  const [isLeaving, setLeaving] = useState(0)
  const { errors, isSubmitting, isDirty } = form.formState
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  const onBusy = (busy: boolean) => setLeaving((files) => files + (busy ? 1 : -1))
  const submit = form.handleSubmit(async (draft) => {
    try {
      await save(draft)
      toast({ title: 'Saved', text: 'It is on the site.' })
      onSaved?.()
    } catch (error) {
      form.setError('root', { message: errorMessage(error as Error) })
    }
  })
  const warning = warn?.(form.watch())
  const isBlocked = isSubmitting || isLeaving > 0
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A record that is saved while its picture is on the way would be saved with the old one.
        if (!isBlocked) void submit(event)
      }}
      className="grid gap-6 *:min-w-0 sm:grid-cols-2"
    >
      {fields.map((field) => (
        <RecordField key={field.name} field={field} form={form} onBusy={onBusy} />
      ))}
      {warning && <p className="text-gold sm:col-span-2">{warning}</p>}
      {errors.root && (
        <p role="alert" className="text-sunset sm:col-span-2">
          {errors.root.message}
        </p>
      )}
      <Button type="submit" variant="foil" aria-disabled={isBlocked} className="justify-self-start sm:col-span-2">
        {isSubmitting ? 'Saving' : isLeaving > 0 ? 'Sending a file' : 'Save'}
      </Button>
    </form>
  )
}

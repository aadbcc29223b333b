import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { sentence } from '../auth/sentence'
import { AreaField } from '../ui/AreaField'
import { Button } from '../ui/Button'
import { CheckField } from '../ui/CheckField'
import { TextField } from '../ui/TextField'
import { toast } from '../ui/toast'
import { useContractForm } from './useContractForm'

/** One line of a form. `figure` is a number; `optional` ones may stay empty and are then null. */
export type FieldOf<In> = {
  name: Path<In & FieldValues>
  label: string
  kind?: 'text' | 'area' | 'figure' | 'check' | 'date' | 'time' | 'url'
  optional?: boolean
  hint?: string
}

type Props<In extends FieldValues, Out> = {
  schema: z.ZodMiniType<Out, In>
  fields: readonly FieldOf<In>[]
  values: DefaultValues<In>
  /** Sends it; a refusal stands above the button. */
  save: (draft: Out) => Promise<unknown>
  onSaved?: () => void
}

/** A record's form, checked by the contract's schema while it is filled in. */
export function RecordForm<In extends FieldValues, Out>({ schema, fields, values, save, onSaved }: Props<In, Out>) {
  const form = useContractForm<In, Out>(schema, values)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (draft) => {
    try {
      await save(draft)
      toast({ title: 'Saved', text: 'It is on the site.' })
      onSaved?.()
    } catch (error) {
      form.setError('root', { message: sentence(error as Error) })
    }
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-6 sm:grid-cols-2">
      {fields.map(({ name, label, kind = 'text', optional = false, hint }) => {
        const error = messageAt(errors, name)
        const shared = { label, hint, error, required: !optional }
        if (kind === 'check') return <CheckField key={name} label={label} hint={hint} {...form.register(name)} />
        if (kind === 'area')
          return <AreaField key={name} {...shared} className="sm:col-span-2" {...form.register(name)} />
        if (kind === 'figure')
          return (
            <TextField
              key={name}
              {...shared}
              inputMode="numeric"
              {...form.register(name, {
                setValueAs: (value) => (value === '' || value === null ? null : Number(value)),
              })}
            />
          )
        return (
          <TextField
            key={name}
            {...shared}
            type={kind === 'text' ? 'text' : kind}
            className={kind === 'url' ? 'sm:col-span-2' : undefined}
            {...form.register(name)}
          />
        )
      })}
      {errors.root && (
        <p role="alert" className="text-sunset sm:col-span-2">
          {errors.root.message}
        </p>
      )}
      <Button type="submit" look="foil" aria-disabled={isSubmitting} className="justify-self-start sm:col-span-2">
        {isSubmitting ? 'Saving' : 'Save'}
      </Button>
    </form>
  )
}

/** The sentence about a field, which may stand inside of another: `links.tiktok`. */
function messageAt(errors: object, name: string): string | undefined {
  const found = name
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], errors)
  return (found as { message?: string } | undefined)?.message
}

import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'

/**
 * A form of the desk, held to the contract's own schema: a field is checked when it is left and again while it is
 * mended; what is wrong is said a moment later, so that what is being pressed does not move away from under the press.
 * `<TextField {...form.register('title')} error={form.formState.errors.title?.message} />`.
 */
export function useSchemaForm<In extends FieldValues, Out>(
  schema: z.ZodMiniType<Out, In>,
  defaultValues: DefaultValues<In>,
) {
  return useForm<In, unknown, Out>({
    resolver: standardSchemaResolver(schema),
    defaultValues,
    mode: 'onTouched',
    delayError: 250,
  })
}

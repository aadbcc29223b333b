import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'

/**
 * A form validated by the contract's schema, on blur and then on change. Errors are delayed, because an error on blur
 * would move the button that is being pressed.
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

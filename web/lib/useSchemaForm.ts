import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type DefaultValues, type FieldValues, type Resolver, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'

type Schema<In, Out> = z.ZodMiniType<Out, In>

/**
 * A form validated by the contract's schema, on blur and then on change. Errors appear with a delay, because an error
 * on blur would move the button that is being pressed.
 *
 * @param schema the schema, or a function that loads it on the first validation, so that public pages start without zod
 */
export function useSchemaForm<In extends FieldValues, Out>(
  schema: Schema<In, Out> | (() => Promise<Schema<In, Out>>),
  defaultValues: DefaultValues<In>,
) {
  return useForm<In, unknown, Out>({
    resolver: typeof schema === 'function' ? lazyResolver(schema) : standardSchemaResolver(schema),
    defaultValues,
    mode: 'onTouched',
    delayError: 250,
  })
}

function lazyResolver<In extends FieldValues, Out>(load: () => Promise<Schema<In, Out>>): Resolver<In, unknown, Out> {
  return async (values, context, options) => {
    const schema = await load().catch(() => null)
    // If the schema fails to load, only the worker validates.
    if (!schema) return { values: values as unknown as Out, errors: {} }
    return standardSchemaResolver(schema)(values, context, options)
  }
}

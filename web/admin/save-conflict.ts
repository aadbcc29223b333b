import { formatPrice } from '../lib/format'

/** A field that another admin changed while this form was open. */
export type FieldConflict = ComparedField & { mine: unknown; theirs: unknown; isMineChanged: boolean }

/** A field to compare. `kind` is that of `FieldDefinition`. */
export type ComparedField = {
  name: string
  label: string
  kind?: string
  /** Formats the value if `kind` is not enough. */
  describe?: (value: unknown) => string
}
/** A record when its form was opened, as typed in the form, and as stored now. */
type Versions = { base: object; mine: object; theirs: object }

/** The value at a path such as `links.spotify`; undefined if there is none. */
export const valueAt = (record: object, path: string): unknown =>
  path.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | null | undefined)?.[part], record)

/** Whether two values are equal as JSON; null and undefined are the same. */
export const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Fields whose stored value differs from both the form's initial and its current value. */
export const findConflicts = (fields: readonly ComparedField[], { base, mine, theirs }: Versions): FieldConflict[] =>
  fields.flatMap((field) => {
    const { name } = field
    const [initial, current, stored] = [base, mine, theirs].map((record) => valueAt(record, name))
    if (isSame(stored, initial) || isSame(stored, current)) return []
    return [{ ...field, mine: current, theirs: stored, isMineChanged: !isSame(current, initial) }]
  })

/** The stored record with the form's values, except in the fields of `fieldsFromTheirs`. */
export function mergeRecords<Draft extends object>(
  fields: readonly ComparedField[],
  { mine, theirs }: { mine: Draft; theirs: Draft },
  fieldsFromTheirs: ReadonlySet<string>,
): Draft {
  const merged = structuredClone(theirs)
  for (const { name } of fields) {
    if (fieldsFromTheirs.has(name)) continue
    const path = name.split('.')
    const lastPart = path.pop() ?? ''
    const parent = path.length === 0 ? merged : valueAt(merged, path.join('.'))
    if (parent && typeof parent === 'object') (parent as Record<string, unknown>)[lastPart] = valueAt(mine, name)
  }
  return merged
}

/** A value as text for the user. */
export function conflictText(value: unknown, kind?: string): string {
  if (kind === 'money' && typeof value === 'number') return formatPrice(value)
  if (value === null || value === undefined || value === '') return 'Empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? value.join(', ') : `${value.length} entries`
  return String(value)
}

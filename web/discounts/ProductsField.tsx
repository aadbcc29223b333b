import { CheckField } from '../ui/Field'
import { GroupError } from '../ui/FormError'

type Props = {
  /** Ids; empty for all products. */
  value: readonly string[]
  onChange: (productIds: string[]) => void
  products: readonly { id: string; name: string }[]
  error?: string
}

/** The products a discount applies to. A product that is no longer sold stays selected until it is removed here. */
export function ProductsField({ value, onChange, products, error }: Props) {
  const unsold = value.filter((id) => !products.some((product) => product.id === id))
  const options = [...products, ...unsold.map((id) => ({ id, name: `${id} (no longer sold)` }))]
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 font-label text-muted">Products</legend>
      <div className="grid gap-x-6 sm:grid-cols-2">
        {options.map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            checked={value.includes(id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...value, id] : value.filter((other) => other !== id))
            }
          />
        ))}
      </div>
      {error ? (
        <GroupError>{error}</GroupError>
      ) : (
        <p role="status" className="mt-2 text-sm text-muted">
          {value.length === 0
            ? 'None chosen: the code is for all products.'
            : 'The code is for the chosen products only.'}
        </p>
      )}
    </fieldset>
  )
}

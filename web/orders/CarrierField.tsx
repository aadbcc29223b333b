import { type ComponentProps, useId } from 'react'
import { TextField } from '../ui/Field'

const CARRIERS = ['USPS', 'UPS', 'FedEx', 'DHL', 'Canada Post', 'DPD'] as const

/** The carrier of a shipment: from the list, or any other name. */
export function CarrierField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'list'> & { label?: string }) {
  const id = useId()
  return (
    <>
      <TextField label="Carrier" list={id} maxLength={40} autoComplete="off" spellCheck={false} {...props} />
      <datalist id={id}>
        {CARRIERS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

import { Check } from 'lucide-react'
import { FULFILMENT, type Fulfilment } from '../../worker/contract/orders'

const WORDS: Record<Fulfilment, string> = {
  unfulfilled: 'Ordered',
  packed: 'Packed',
  shipped: 'On its way',
  delivered: 'Delivered',
}

/** How far the parcel has come: the steps behind it are ticked, the one it is at is marked. */
export function ShipmentSteps({ fulfilment, tracking }: { fulfilment: Fulfilment; tracking: string }) {
  const at = FULFILMENT.indexOf(fulfilment)
  return (
    <section aria-label="Parcel" className="w-full max-w-md">
      <ol>
        {FULFILMENT.map((step, place) => (
          <li
            key={step}
            aria-current={place === at ? 'step' : undefined}
            className="flex min-h-12 items-center gap-4 border-t border-rule aria-[current]:font-semibold aria-[current]:text-gold-bright"
          >
            <span aria-hidden="true" className="figures w-7 shrink-0 font-label text-gold">
              {place <= at ? <Check size={18} /> : `0${place + 1}`}
            </span>
            <span className={place > at ? 'text-muted' : undefined}>{WORDS[step]}</span>
            {place < at && <span className="sr-only">(done)</span>}
          </li>
        ))}
      </ol>
      {tracking && (
        <p className="border-t border-rule pt-4">
          Tracking <span className="figures font-semibold break-all">{tracking}</span>
        </p>
      )}
    </section>
  )
}

import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'

type Props = {
  amountCents: number
  /** True if confirmed; false if cancelled or closed. */
  onAnswer: (approved: boolean) => void
}

/** Simulates a bank's 3-D Secure dialog. */
export function SecondStep({ amountCents, onAnswer }: Props) {
  return (
    <Dialog
      title="Your bank asks you to confirm"
      description={`A payment of ${formatPrice(amountCents)}. This is a test: no card is charged.`}
      onClose={() => onAnswer(false)}
    >
      <div className="p-6 md:p-10">
        <p className="font-label text-bay">Test bank</p>
        <p aria-hidden="true" className="mt-3 mr-12 font-display text-2xl">
          Is this you?
        </p>
        <p aria-hidden="true" className="mt-4 max-w-prose">
          A payment of <strong className="figures">{formatPrice(amountCents)}</strong> waits for your word. This is a
          test: no card is charged.
        </p>
        <div className="mt-8 flex flex-wrap gap-4">
          <Button variant="foil" onClick={() => onAnswer(true)} className="max-xs:w-full">
            Confirm the payment
          </Button>
          <Button onClick={() => onAnswer(false)} className="max-xs:w-full">
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

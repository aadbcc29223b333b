import type { ErasedAddress } from '../../worker/contract/privacy'
import { Button } from '../ui/Button'
import { focusOnArrival } from '../ui/focus-on-arrival'
import { FoundList } from './FoundList'

/** What an erasure did: how much of each kind, and whether a last letter tells them. */
export function EraseReceipt({ receipt, onClose }: { receipt: ErasedAddress; onClose: () => void }) {
  return (
    <div>
      <h2 ref={focusOnArrival} tabIndex={-1} className="mr-10 font-display text-xl outline-none">
        The address is erased
      </h2>
      <p className="mt-4 max-w-prose text-muted">
        {receipt.letterSent
          ? 'A last letter tells them so, and is forgotten once it was sent.'
          : 'No letter was written: mail to that address comes back.'}{' '}
        The audit keeps when and how much, and not whose it was.
      </p>
      <FoundList found={receipt.found} className="mt-6" />
      <Button className="mt-8" onClick={onClose}>
        Close
      </Button>
    </div>
  )
}

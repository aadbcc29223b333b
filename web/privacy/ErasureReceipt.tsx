import type { AddressErasure } from '../../worker/contract/privacy'
import { Button } from '../ui/Button'
import { focusOnMount } from '../ui/focus-on-mount'
import { DataCountList } from './DataCountList'

/** What an erasure did: how much of each kind, and whether a last letter tells them. */
export function ErasureReceipt({ receipt, onClose }: { receipt: AddressErasure; onClose: () => void }) {
  return (
    <div>
      <h2 ref={focusOnMount} tabIndex={-1} className="mr-10 font-display text-xl outline-none">
        The address is erased
      </h2>
      <p className="mt-4 max-w-prose text-muted">
        {receipt.letterSent
          ? 'A last letter tells them so, and is forgotten once it was sent.'
          : 'No letter was written: mail to that address comes back.'}{' '}
        The audit keeps when and how much, and not whose it was.
      </p>
      <DataCountList found={receipt.found} className="mt-6" />
      <Button className="mt-8" onClick={onClose}>
        Close
      </Button>
    </div>
  )
}

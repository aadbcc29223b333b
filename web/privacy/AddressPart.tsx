import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ErasedAddress, Inquiry } from '../../worker/contract/privacy'
import { Button } from '../ui/Button'
import { focusOnArrival } from '../ui/focus-on-arrival'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { EraseForm } from './EraseForm'
import { FoundList } from './FoundList'
import { heldByAddress, useAddressFile, useMailFile } from './privacy-desk.queries'
import { saveFile } from './save-file'

/** What is kept about an inquiry's address: looked at, handed over, or erased with a receipt. */
export function AddressPart({
  inquiry: { id, email, confirmedAt },
  onErased,
}: {
  inquiry: Inquiry
  onErased: (receipt: ErasedAddress) => void
}) {
  const held = useQuery(heldByAddress(id))
  /** Null while nobody has thought of it: who decides against it is led back to the button. */
  const [erasing, setErasing] = useState<boolean | null>(null)
  const file = useAddressFile()
  const mail = useMailFile()
  const refused = ({ message }: Error) => toast({ title: 'Not done', text: message, tone: 'destructive' })

  return (
    <section aria-labelledby="held" className="mt-10 border-t border-rule pt-6">
      <h3 id="held" className="font-display text-lg">
        Kept about this address
      </h3>
      {held.isPending && <Skeleton label="Counting what is kept" className="mt-4 h-40" />}
      {held.error && (
        <LoadError onRetry={() => void held.refetch()} retrying={held.isFetching}>
          What is kept could not be counted.
        </LoadError>
      )}
      {held.data && (
        <>
          <FoundList found={held.data.found} className="mt-4" />
          {held.data.account !== null && (
            <p className="mt-4 max-w-prose text-muted">
              {held.data.account} has an account with this address. Their own page hands over and deletes all of it, and
              so does Delete under Supporters.
            </p>
          )}
          {erasing ? (
            <EraseForm
              id={id}
              confirmed={confirmedAt !== null}
              orders={held.data.found.orders}
              onErased={onErased}
              onCancel={() => setErasing(false)}
            />
          ) : (
            <div className="mt-6 flex flex-wrap gap-3">
              <Button
                aria-disabled={file.isPending}
                onClick={() =>
                  file.mutate(id, {
                    onSuccess: ({ data, page }) => {
                      saveFile('their-data.json', 'application/json', JSON.stringify(data, null, 2))
                      saveFile('their-data.html', 'text/html', page)
                    },
                    onError: refused,
                  })
                }
              >
                Download both files
              </Button>
              <Button
                aria-disabled={mail.isPending}
                onClick={() =>
                  mail.mutate(id, {
                    onSuccess: () => toast({ title: 'On its way', text: `All of it goes to ${email} by mail.` }),
                    onError: refused,
                  })
                }
              >
                Mail it to them
              </Button>
              {held.data.account === null && (
                <Button ref={erasing === false ? focusOnArrival : undefined} onClick={() => setErasing(true)}>
                  Erase this address
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </section>
  )
}

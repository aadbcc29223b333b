import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AddressErasure, Inquiry } from '../../worker/contract/privacy'
import { Button } from '../ui/Button'
import { focusOnMount } from '../ui/focus-on-mount'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { DataCountList } from './DataCountList'
import { EraseAddressForm } from './EraseAddressForm'
import { addressData, useDownloadAddressData, useEmailAddressData } from './privacy-admin.queries'
import { downloadText } from './save-file'

/** What is kept about an inquiry's address: looked at, handed over, or erased with a receipt. */
export function AddressData({
  inquiry: { id, email, confirmedAt },
  onErased,
}: {
  inquiry: Inquiry
  onErased: (receipt: AddressErasure) => void
}) {
  const addressQuery = useQuery(addressData(id))
  /** Null while nobody has thought of it: who decides against it is led back to the button. */
  const [erasing, setErasing] = useState<boolean | null>(null)
  const download = useDownloadAddressData()
  const emailFile = useEmailAddressData()
  const showError = ({ message }: Error) => toast({ title: 'Not done', text: message, tone: 'destructive' })

  return (
    <section aria-labelledby="held" className="mt-10 border-t border-rule pt-6">
      <h3 id="held" className="font-display text-lg">
        Kept about this address
      </h3>
      {addressQuery.isPending && <Skeleton label="Counting what is kept" className="mt-4 h-40" />}
      {addressQuery.error && (
        <LoadError onRetry={() => void addressQuery.refetch()} retrying={addressQuery.isFetching}>
          What is kept could not be counted.
        </LoadError>
      )}
      {addressQuery.data && (
        <>
          <DataCountList found={addressQuery.data.found} className="mt-4" />
          {addressQuery.data.account !== null && (
            <p className="mt-4 max-w-prose text-muted">
              {addressQuery.data.account} has an account with this address. Their own page hands over and deletes all of
              it, and so does Delete under Supporters.
            </p>
          )}
          {erasing ? (
            <EraseAddressForm
              id={id}
              confirmed={confirmedAt !== null}
              orders={addressQuery.data.found.orders}
              onErased={onErased}
              onCancel={() => setErasing(false)}
            />
          ) : (
            <div className="mt-6 flex flex-wrap gap-3">
              <Button
                aria-disabled={download.isPending}
                onClick={() =>
                  download.mutate(id, {
                    onSuccess: ({ data, page }) => {
                      downloadText('their-data.json', 'application/json', JSON.stringify(data, null, 2))
                      downloadText('their-data.html', 'text/html', page)
                    },
                    onError: showError,
                  })
                }
              >
                Download both files
              </Button>
              <Button
                aria-disabled={emailFile.isPending}
                onClick={() =>
                  emailFile.mutate(id, {
                    onSuccess: () => toast({ title: 'On its way', text: `All of it goes to ${email} by mail.` }),
                    onError: showError,
                  })
                }
              >
                Mail it to them
              </Button>
              {addressQuery.data.account === null && (
                <Button ref={erasing === false ? focusOnMount : undefined} onClick={() => setErasing(true)}>
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

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { AddressErasure, AddressRecords, Inquiry } from '../../worker/contract/privacy'
import { RETENTION } from '../../worker/contract/retention'
import { Panel } from '../admin/Panel'
import { downloadText } from '../lib/start-download'
import { Button } from '../ui/Button'
import { CheckField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { focusOnMount } from '../ui/focus'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { addressData, useDownloadAddressData, useEraseAddress, useSendAddressData } from './privacy-admin.queries'

/** Exports or erases the personal data stored for an inquiry's email address. */
export function AddressDataPanel({
  inquiry: { id, email, confirmedAt },
  onErased,
}: {
  inquiry: Inquiry
  onErased: (receipt: AddressErasure) => void
}) {
  const addressQuery = useQuery(addressData(id))
  /** Whether the erase form is open; null until it is first opened. False moves the focus back to its button. */
  const [isFormOpen, setIsFormOpen] = useState<boolean | null>(null)
  const download = useDownloadAddressData()
  const emailFile = useSendAddressData()

  return (
    <Panel title="Stored about this address">
      <QueryBoundary
        query={addressQuery}
        loading={{ label: 'Loading what is stored', className: 'mt-4 h-40' }}
        error="The stored data could not be loaded."
      >
        {({ found, account }) => (
          <>
            <DataCountList found={found} />
            {account !== null && (
              <p className="mt-4 max-w-prose text-muted">
                {account} has an account with this address. They can download and delete all of it on their account
                page. You can delete the account under Supporters.
              </p>
            )}
            {isFormOpen ? (
              <EraseAddressForm
                id={id}
                email={email}
                isConfirmed={confirmedAt !== null}
                orderCount={found.orders}
                onErased={onErased}
                onCancel={() => setIsFormOpen(false)}
              />
            ) : (
              <div className="mt-6 flex flex-wrap gap-3">
                <Button
                  aria-disabled={download.isPending}
                  onClick={() =>
                    download.isPending ||
                    download.mutate(id, {
                      onSuccess: ({ data, page }) => {
                        downloadText('their-data.json', 'application/json', JSON.stringify(data, null, 2))
                        downloadText('their-data.html', 'text/html', page)
                        toast({ title: 'Downloaded', text: 'Two files: one to read, one for other software.' })
                      },
                      onError: toastError('Not downloaded'),
                    })
                  }
                >
                  Download the data
                </Button>
                <Button
                  aria-disabled={emailFile.isPending}
                  onClick={() =>
                    emailFile.isPending ||
                    emailFile.mutate(id, {
                      onSuccess: () => toast({ title: 'On its way', text: `We’ll email all of it to ${email}.` }),
                      onError: toastError('Not sent'),
                    })
                  }
                >
                  Email the data to them
                </Button>
                {account === null && (
                  <Button ref={isFormOpen === false ? focusOnMount : undefined} onClick={() => setIsFormOpen(true)}>
                    Erase this address
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </QueryBoundary>
    </Panel>
  )
}

type EraseAddressProps = {
  id: string
  email: string
  /** Whether the inquiry was confirmed from the mailbox. */
  isConfirmed: boolean
  orderCount: number
  onErased: (receipt: AddressErasure) => void
  onCancel: () => void
}

function EraseAddressForm({ id, email, isConfirmed, orderCount, onErased, onCancel }: EraseAddressProps) {
  const erase = useEraseAddress(onErased)
  const [error, setError] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const shownOtherwise = new FormData(event.currentTarget).get('shown') === 'on'
    const isUnproven = !isConfirmed && !shownOtherwise
    setError(isUnproven ? 'Please check the box, or wait until they confirm the address.' : undefined)
    if (isUnproven || erase.isPending) return
    erase.mutate({ id, shownOtherwise }, { onError: ({ message }: Error) => setError(message) })
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="mt-6 grid gap-5 border-l-4 border-sunset pl-6">
      <h3 ref={focusOnMount} tabIndex={-1} className="font-display text-lg wrap-anywhere outline-none">
        Erase everything about {email}?
      </h3>
      <p className="max-w-prose text-muted">
        This can’t be undone. Subscriptions, emails and inquiries are deleted; a verse still counts, without its name,
        address, phone number and recording.{' '}
        {orderCount > 0 &&
          `We keep orders for ${RETENTION.transactionMonths / 12} years without the buyer’s name. An order on its way keeps its address until it arrives. `}
        We keep a keyed hash, so that we never email the address again. You may have to confirm it’s you first.
      </p>
      {!isConfirmed && <CheckField label="They proved in another way that the address is theirs" name="shown" />}
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={erase.isPending}>
          {erase.isPending ? 'Erasing' : 'Erase for good'}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}

/** What was erased. Shown once, in place of the inquiry, because the server does not store it. */
export const ErasureReceipt = ({ receipt }: { receipt: AddressErasure }) => (
  <section aria-labelledby="erased" className="max-w-3xl border border-rule bg-sleeve p-5 md:p-8">
    <h2 id="erased" ref={focusOnMount} tabIndex={-1} className="font-display text-xl outline-none">
      The address is erased
    </h2>
    <p className="mt-4 max-w-prose text-muted">
      {receipt.letterSent
        ? 'A last email confirms it to them and is deleted once sent.'
        : 'No email was sent because emails to that address bounce.'}{' '}
      The audit log records when and how much was erased, not whose data it was.
    </p>
    <DataCountList found={receipt.found} className="mt-6" />
  </section>
)

const RECORD_LABELS: Record<keyof AddressRecords, string> = {
  newsletter: 'Newsletter',
  showAlerts: 'Show alerts',
  stockAlerts: 'Back-in-stock alerts',
  verses: 'Verses',
  orders: 'Orders',
  ordersUnderWay: 'Orders not yet delivered',
  mails: 'Emails to it',
  inquiries: 'Inquiries',
  contacts: 'Entries as a contact',
  importedSales: 'Sales on other platforms',
}

function DataCountList({ found, className = '' }: { found: AddressRecords; className?: string }) {
  return (
    <dl className={`grid max-w-md grid-cols-[1fr_auto] gap-x-8 ${className}`}>
      {(Object.keys(RECORD_LABELS) as (keyof AddressRecords)[]).map((kind) => (
        <div key={kind} className="col-span-full grid grid-cols-subgrid border-b border-rule py-2">
          <dt className={found[kind] === 0 ? 'text-muted' : undefined}>{RECORD_LABELS[kind]}</dt>
          <dd className="tabular-figures text-right">{found[kind] || <span className="text-muted">none</span>}</dd>
        </div>
      ))}
    </dl>
  )
}

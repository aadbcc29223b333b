import '../styles/utilities.css'
import { useQuery } from '@tanstack/react-query'
import { SettingsSection } from '../auth/SettingsSection'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { addressLines } from './address-lines'
import { savedAddresses, useDeleteAddress, useSaveAddress } from './addresses.queries'

/** Lists and deletes the account's saved addresses. Buyers save addresses at checkout. */
export function AddressSettings() {
  const query = useQuery(savedAddresses)
  const remove = useDeleteAddress()
  const save = useSaveAddress()
  return (
    <SettingsSection title="Your addresses">
      <QueryBoundary
        query={query}
        loading={{ className: 'h-20 max-w-xl', label: 'Loading your addresses' }}
        error="Your addresses could not be loaded."
      >
        {(addresses) =>
          addresses.length === 0 ? (
            <p className="text-muted">No addresses yet. At checkout you can save up to five for next time.</p>
          ) : (
            <ul className="max-w-xl">
              {addresses.map(({ id, shippingAddress }) => {
                const [name, ...lines] = addressLines(shippingAddress)
                return (
                  <li
                    key={id}
                    className="flex min-h-16 items-center justify-between gap-4 border-b border-rule py-3 first:border-t"
                  >
                    <address className="min-w-0 not-italic wrap-anywhere">
                      <span className="block font-semibold">{name}</span>
                      <span className="block text-sm text-muted">{lines.join(', ')}</span>
                    </address>
                    <Button
                      variant="text"
                      aria-label={`Delete the address ${lines[0]}`}
                      aria-disabled={remove.isPending}
                      onClick={() =>
                        remove.isPending ||
                        remove.mutate(id, {
                          onSuccess: () =>
                            toast({
                              title: 'Address deleted',
                              action: {
                                label: 'Undo',
                                onPress: () =>
                                  save.mutate(shippingAddress, { onError: toastError('Address not restored') }),
                              },
                            }),
                          onError: toastError('Address not deleted'),
                        })
                      }
                    >
                      Delete
                    </Button>
                  </li>
                )
              })}
            </ul>
          )
        }
      </QueryBoundary>
    </SettingsSection>
  )
}

import '../styles/utilities.css'
import { errorMessage } from '../api/call'
import { CardPage } from '../auth/CardPage'
import { useLinkToken } from '../auth/EmailLinkConfirmation'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { useRedeemBallotsLink } from './exports.queries'

/** /csv-link: the emailed link to the ballots. Link scanners open it, so the download waits for a button press. */
export function BallotsLinkPage() {
  const token = useLinkToken()
  const redeem = useRedeemBallotsLink()
  return (
    <CardPage title="The ballots">
      <p>Every ballot of the verse challenge as a CSV file. The link works up to five times within 24 hours.</p>
      <Button
        variant="primary"
        aria-disabled={redeem.isPending || token === ''}
        onClick={() =>
          token !== '' &&
          !redeem.isPending &&
          redeem.mutate(token, {
            onSuccess: () => toast({ title: 'Download Started', text: 'The file is downloading.' }),
          })
        }
        className="mt-8 min-h-14 w-full"
      >
        {redeem.isPending ? 'Loading' : 'Download CSV'}
      </Button>
      {(redeem.error || token === '') && (
        <p role="alert" className="mt-4 text-sunset">
          {redeem.error ? errorMessage(redeem.error) : 'This link is not complete.'}
        </p>
      )}
    </CardPage>
  )
}

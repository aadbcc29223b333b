import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Account, accountApi } from '../../worker/contract/auth'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { AccountPart } from './AccountPart'
import { type ProofInput, useConfirm, useErase } from './account.queries'
import { ProofForm } from './ProofForm'

type Format = 'json' | 'html'
/** The worker's clock and ours may differ by so many milliseconds before somebody meets a refusal instead of a file. */
const SLACK = 60_000

/** One's own data as a file, and the end of the account. Both ask who is there. */
export function DataPart({ account }: { account: Account }) {
  const [open, setOpen] = useState<Format | 'erase' | null>(null)
  const confirm = useConfirm()
  const erase = useErase()
  const navigate = useNavigate()

  // An attachment: the page stays where it is.
  const fetchFile = (format: Format) => window.location.assign(`${accountApi.export.path}?format=${format}`)
  const download = (format: Format) => async (proof: ProofInput) => {
    await confirm.mutateAsync(proof)
    setOpen(null)
    fetchFile(format)
  }
  /** Who has just logged in is not asked again. */
  const ask = (format: Format) =>
    Date.now() < Date.parse(account.provenUntil) - SLACK ? fetchFile(format) : setOpen(format)
  async function leave(proof: ProofInput) {
    await erase.mutateAsync(proof)
    toast({ title: 'Account deleted', text: 'Nothing that names you is left here.' })
    await navigate({ to: '/' })
  }
  const form = (action: string, onProof: (proof: ProofInput) => Promise<void>, final = false) => (
    <ProofForm final={final} account={account} action={action} onProof={onProof} onCancel={() => setOpen(null)} />
  )

  return (
    <>
      <AccountPart title="Your data">
        <p className="max-w-prose text-muted">
          Everything that is kept about you, as one file: a page to read, or JSON for another program.
        </p>
        {open === 'json' || open === 'html' ? (
          form('Download', download(open))
        ) : (
          <div className="mt-5 flex flex-wrap gap-3">
            <Button onClick={() => ask('html')}>Download my data</Button>
            <Button onClick={() => ask('json')}>Download as JSON</Button>
          </div>
        )}
      </AccountPart>
      <AccountPart title="The end">
        <p className="max-w-prose text-muted">
          Deletes your name, address, phone, log-ins and what you wrote and sent, for good. Votes that you cast stay
          counted and orders stay in the books, without you.
        </p>
        {open === 'erase' ? (
          form('Delete for good', leave, true)
        ) : (
          <Button className="mt-5 border-sunset! text-sunset" onClick={() => setOpen('erase')}>
            Delete my account
          </Button>
        )}
      </AccountPart>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Panel } from '../admin/Panel'
import { errorMessage } from '../api/call'
import { formatCountOf, formatLongDate, formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { TextField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'
import { broadcastCode, useRotateBroadcastCode } from './orders-admin.queries'

/** Shows the broadcast code and replaces it. */
export function BroadcastCodePanel() {
  const query = useQuery(broadcastCode)
  const current = query.data
  const rotate = useRotateBroadcastCode()
  const [newCode, setNewCode] = useState('')
  const [isConfirming, setIsConfirming] = useState(false)
  const [error, setError] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    setError(undefined)
    setIsConfirming(true)
  }
  function confirm() {
    rotate.mutate(newCode.trim(), {
      onSuccess: ({ code }) => {
        setNewCode('')
        toast({ title: 'New code', text: `The code is now ${code}. Post it in the broadcast channel.` })
      },
      onError: (rotateError) => setError(errorMessage(rotateError)),
      onSettled: () => setIsConfirming(false),
    })
  }

  return (
    <Panel
      title="Broadcast code"
      note="The promotion code for the broadcast channel. One code is active at a time; it works in any number of orders."
    >
      <QueryBoundary
        query={query}
        loading={{ className: 'h-24', label: 'Loading the code' }}
        error="The code could not be loaded."
      >
        {() => (
          <div className="grid gap-6 md:grid-cols-2">
            <div>
              <p className="tabular-figures font-display text-2xl break-all">{current?.code ?? 'None yet'}</p>
              {current && (
                <p className="mt-2 text-sm text-muted">
                  {formatPrice(current.discountCents)} off since {formatLongDate(current.createdAt)}, on{' '}
                  {formatCountOf(current.uses, 'paid order')}.
                </p>
              )}
            </div>
            <form noValidate method="post" onSubmit={submit} className="grid gap-4">
              <TextField
                label="New code"
                value={newCode}
                onChange={(event) => setNewCode(event.target.value)}
                maxLength={24}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                error={error}
                hint="Leave empty for a random code."
              />
              <Button type="submit" className="justify-self-start">
                {current ? 'Replace the code' : 'Create a code'}
              </Button>
            </form>
          </div>
        )}
      </QueryBoundary>
      {isConfirming && (
        <ConfirmDialog
          title={current ? `Replace ${current.code}?` : 'Create a code?'}
          confirmLabel={current ? 'Replace it' : 'Create it'}
          pending={rotate.isPending}
          onConfirm={confirm}
          onClose={() => setIsConfirming(false)}
        >
          <p>
            {current ? `${current.code} stops working at once, in open checkouts too. ` : ''}
            {newCode.trim() === ''
              ? 'We’ll create a random code.'
              : `${newCode.trim().toUpperCase()} becomes the code.`}
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Panel } from '../admin/Panel'
import { errorMessage } from '../api/call'
import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { TextField } from '../ui/Field'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { promotionCode, useRotatePromotionCode } from './orders-admin.queries'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** The one code that takes money off, and a new one in its place. */
export function PromotionCodePanel() {
  const { data: current, isPending, isError, isFetching, refetch } = useQuery(promotionCode)
  const rotate = useRotatePromotionCode()
  const [next, setNext] = useState('')
  const [isConfirming, setConfirming] = useState(false)
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    setProblem(undefined)
    setConfirming(true)
  }
  function confirm() {
    rotate.mutate(next.trim(), {
      onSuccess: ({ code }) => {
        setNext('')
        toast({ title: 'New code', text: `${code} is the code now. Post it in the broadcast channel.` })
      },
      onError: (error) => setProblem(errorMessage(error)),
      onSettled: () => setConfirming(false),
    })
  }

  return (
    <Panel title="Promotion code" note="For the broadcast channel: one code at a time, once an order.">
      {isPending && !isError ? (
        <Skeleton className="h-24" label="Fetching the code" />
      ) : isError ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          The code could not be fetched.
        </LoadError>
      ) : (
        <div className="grid gap-6 md:grid-cols-2">
          <div>
            <p className="figures font-display text-2xl break-all">{current?.code ?? 'None yet'}</p>
            {current && (
              <p className="mt-2 text-sm text-muted">
                {formatPrice(current.discountCents)} off since {day.format(Date.parse(current.createdAt))}, on{' '}
                {current.uses} paid {current.uses === 1 ? 'order' : 'orders'}.
              </p>
            )}
          </div>
          <form noValidate method="post" onSubmit={submit} className="grid gap-4">
            <TextField
              label="New code"
              value={next}
              onChange={(event) => setNext(event.target.value)}
              maxLength={24}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              error={problem}
              hint="Left empty, one is drawn."
            />
            <Button type="submit" className="justify-self-start">
              {current ? 'Replace the code' : 'Make a code'}
            </Button>
          </form>
        </div>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={current ? 'Replace the code?' : 'Make a code?'}
          confirm={current ? 'Replace it' : 'Make it'}
          pending={rotate.isPending}
          onConfirm={confirm}
          onClose={() => setConfirming(false)}
        >
          <p>
            {current ? `${current.code} stops working at once, in open checkouts too. ` : ''}
            {next.trim() === '' ? 'A new code is drawn.' : `${next.trim().toUpperCase()} takes its place.`}
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

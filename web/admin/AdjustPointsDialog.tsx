import { type FormEvent, useState } from 'react'
import {
  MAX_ADJUSTMENT,
  PointsAdjustment,
  type SupporterDetails,
  supporterPageApi,
} from '../../worker/contract/supporter-page'
import { call, errorMessage } from '../api/call'
import { formatCount } from '../lib/format'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { toast } from '../ui/toast'
import { SUPPORTER_QUERY_KEYS, useAdminMutation } from './admin.queries'

type Props = { supporter: SupporterDetails; onClose: () => void }
type Errors = Partial<Record<'points' | 'reason' | 'root', string>>

/** Adds or removes points by hand, with a reason. */
export function AdjustPointsDialog({ supporter, onClose }: Props) {
  // The idempotency key of this dialog: a retry after a lost response changes nothing.
  const [key] = useState(() => crypto.randomUUID())
  const [points, setPoints] = useState('')
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const adjust = useAdminMutation(
    (body: PointsAdjustment) => call(supporterPageApi.adjustPoints, { id: supporter.id, body }),
    SUPPORTER_QUERY_KEYS,
  )
  const amount = Number(points.trim().replace('−', '-') || Number.NaN)
  const newTotal = supporter.points + amount
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (adjust.isPending) return
    const result = PointsAdjustment.safeParse({ points: amount, reason, key })
    if (!result.success) {
      const fieldErrors: Errors = {}
      for (const { path, message } of result.error.issues) {
        const field = path[0] === 'reason' ? 'reason' : 'points'
        fieldErrors[field] ??= message
      }
      return setErrors(fieldErrors)
    }
    setErrors({})
    adjust.mutate(result.data, {
      onSuccess: ({ totalPoints }) => {
        toast({ title: 'Points adjusted', text: `${supporter.username} now has ${formatCount(totalPoints)} points.` })
        onClose()
      },
      onError: (error) => setErrors({ root: errorMessage(error) }),
    })
  }
  const title = `Adjust the points of ${supporter.username}`
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-6 p-6 md:p-9">
        <h2 className="mr-10 font-display text-xl wrap-anywhere">{title}</h2>
        <TextField
          label="Points"
          inputMode="numeric"
          required
          autoFocus
          value={points}
          error={errors.points}
          hint={
            Number.isSafeInteger(amount) && amount !== 0 && newTotal >= 0
              ? `New total: ${formatCount(newTotal)}`
              : `From -${formatCount(MAX_ADJUSTMENT)} to ${formatCount(MAX_ADJUSTMENT)}. A minus removes points.`
          }
          onChange={(event) => setPoints(event.currentTarget.value)}
        />
        <TextField
          label="Reason"
          required
          maxLength={200}
          value={reason}
          error={errors.reason}
          hint="Saved in the audit log. The supporter sees that the team changed their points."
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <FormError>{errors.root}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" aria-disabled={adjust.isPending}>
            {adjust.isPending ? 'Saving' : 'Adjust points'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}

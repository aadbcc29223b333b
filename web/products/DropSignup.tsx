import { type FormEvent, useId, useState } from 'react'
import { subscribedToast, useSubscribe } from '../newsletter/newsletter.queries'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'

/** The list for the next drop. An empty field does nothing (specification section 5). */
export function DropSignup() {
  const [email, setEmail] = useState('')
  const { mutate, isPending } = useSubscribe()
  const field = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!email.trim() || isPending) return
    mutate(email, {
      onSuccess: ({ pointsEarned }) => {
        setEmail('')
        toast(subscribedToast(pointsEarned))
      },
      onError: () => toast({ title: 'Error', text: 'Failed to subscribe. Please try again.', tone: 'destructive' }),
    })
  }
  return (
    <form onSubmit={submit} className="max-w-xl">
      <label htmlFor={field} className="mb-2 block font-semibold">
        Email
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          id={field}
          type="email"
          name="email"
          required
          autoComplete="email"
          placeholder="you@example.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          className="min-h-12 min-w-56 flex-1 rounded-xs border border-rule-strong bg-sleeve px-4 placeholder:text-muted"
        />
        <Button type="submit" variant="foil" aria-disabled={isPending} className="max-xs:w-full">
          {isPending ? 'Joining...' : 'Notify Me'}
        </Button>
      </div>
    </form>
  )
}

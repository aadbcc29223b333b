import { type FormEvent, useId, useState } from 'react'
import { useMe } from '../auth/auth.queries'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { subscribedToast, useSubscribe } from './subscribe'

/** Subscribes to the newsletter. Ignores an empty field. */
export function NewsletterForm() {
  const [email, setEmail] = useState('')
  const turnstile = useTurnstile('newsletter')
  const { mutate, isPending } = useSubscribe(turnstile)
  const isVisitor = useMe() === null
  const fieldId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!email.trim() || isPending) return
    mutate(email, {
      onSuccess: (result) => {
        setEmail('')
        toast(subscribedToast(result, isVisitor))
      },
      onError: () => toast({ title: 'Error', text: 'Failed to subscribe. Please try again.', tone: 'destructive' }),
    })
  }
  return (
    <form onSubmit={submit} className="max-w-xl">
      <label htmlFor={fieldId} className="mb-2 block font-semibold">
        Email
      </label>
      <div className="flex gap-3 max-[22.5rem]:flex-wrap">
        <input
          id={fieldId}
          type="email"
          name="email"
          required
          autoComplete="email"
          placeholder="you@example.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          className="min-h-12 min-w-0 flex-1 max-[22.5rem]:min-w-56 rounded-xs border border-rule-strong bg-sleeve px-4 placeholder:text-muted"
        />
        <Button
          type="submit"
          variant="primary"
          aria-disabled={isPending || undefined}
          className="max-xs:px-3! max-[22.5rem]:w-full"
        >
          {isPending ? 'Joining...' : 'Notify Me'}
        </Button>
      </div>
      {turnstile.widget}
    </form>
  )
}

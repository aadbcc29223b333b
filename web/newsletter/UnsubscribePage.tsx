import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Preferences } from '../../worker/contract/newsletter'
import { errorMessage } from '../api/call'
import { CardPage } from '../auth/CardPage'
import { useLinkToken } from '../auth/EmailLinkConfirmation'
import { Button, buttonClass } from '../ui/Button'
import { TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { emailPreferences, useChangePreferences, useUnsubscribe } from './newsletter.queries'

/**
 * /newsletter/unsubscribe, from the link in emails of the newsletter, show alerts and stock alerts. A button
 * unsubscribes, because link scanners open links too.
 */
export function UnsubscribePage() {
  const token = useLinkToken()
  const { data, error } = useQuery({ ...emailPreferences(token), enabled: token !== '' })
  if (token === '' || error)
    return (
      <CardPage title="Email preferences">
        <p role="alert">{error ? errorMessage(error) : 'This link is not complete.'}</p>
        <Link to="/" className={buttonClass('outline', 'mt-8 w-full')}>
          Back to the music
        </Link>
      </CardPage>
    )
  if (!data)
    return (
      <CardPage title="Email preferences">
        <Skeleton className="h-40" label="Loading your email preferences" />
      </CardPage>
    )
  return data.subscribed ? (
    <UnsubscribeForm token={token} preferences={data} />
  ) : (
    <Unsubscribed token={token} preferences={data} />
  )
}

const LIST_DESCRIPTIONS: Record<Preferences['list'], string> = {
  newsletter: 'our list: new drops, music and shows',
  alerts: 'news of new shows',
  stock: 'one email for each product that is back in stock',
}

type Props = { token: string; preferences: Preferences }

function UnsubscribeForm({ token, preferences: { list, email, city } }: Props) {
  const unsubscribe = useUnsubscribe(token)
  return (
    <CardPage title="Email preferences">
      <p>
        <strong className="break-all">{email}</strong> gets {LIST_DESCRIPTIONS[list]}.
      </p>
      <Button
        variant="primary"
        className="mt-8 min-h-14 w-full"
        aria-disabled={unsubscribe.isPending}
        onClick={() => !unsubscribe.isPending && unsubscribe.mutate()}
      >
        {unsubscribe.isPending ? 'Unsubscribing' : 'Unsubscribe'}
      </Button>
      <FormError className="mt-4">{unsubscribe.error && errorMessage(unsubscribe.error)}</FormError>
      {list === 'newsletter' && <CityForm token={token} city={city} />}
    </CardPage>
  )
}

function CityForm({ token, city }: { token: string; city: string | null }) {
  const change = useChangePreferences(token)
  const [error, setError] = useState<string>()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (change.isPending) return
    setError(undefined)
    change.mutate(
      { city: String(new FormData(event.currentTarget).get('city')) },
      {
        onSuccess: ({ city }) =>
          toast({ title: 'Saved', text: city ? `Your city is ${city}.` : 'Your city has been removed.' }),
        onError: (error) => setError(errorMessage(error)),
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="mt-10 grid gap-5 border-t border-rule pt-8">
      <TextField
        label="Your city"
        name="city"
        defaultValue={city ?? ''}
        maxLength={80}
        autoComplete="address-level2"
        hint="For emails about shows near you."
        error={error}
      />
      <Button type="submit" aria-disabled={change.isPending}>
        {change.isPending ? 'Saving' : 'Save'}
      </Button>
    </form>
  )
}

function Unsubscribed({ token, preferences: { list } }: Props) {
  const change = useChangePreferences(token)
  return (
    <CardPage title="You’re unsubscribed">
      <p role="status">You won’t get these emails anymore.</p>
      {list === 'newsletter' && (
        <Button
          className="mt-8 w-full"
          aria-disabled={change.isPending}
          onClick={() => !change.isPending && change.mutate({ subscribed: true })}
        >
          {change.isPending ? 'Subscribing' : 'Subscribe again'}
        </Button>
      )}
      <FormError className="mt-4">{change.error && errorMessage(change.error)}</FormError>
      <Link to="/" className={buttonClass('text', 'mt-4 w-full')}>
        Back to the music
      </Link>
    </CardPage>
  )
}

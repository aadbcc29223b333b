import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Preferences } from '../../worker/contract/lists'
import { Card } from '../auth/Card'
import { sentence } from '../auth/sentence'
import { Button, buttonClass } from '../ui/Button'
import { Skeleton } from '../ui/Skeleton'
import { TextField } from '../ui/TextField'
import { toast } from '../ui/toast'
import { useMailedToken } from './mailed-token'
import { preferences, useChangePreferences, useUnsubscribe } from './preferences.queries'

/** /newsletter/unsubscribe: where the way out of every list mail leads. Opening it ends nothing; its button does. */
export function PreferencesPage() {
  const token = useMailedToken()
  const { data, error } = useQuery({ ...preferences(token), enabled: token !== '' })
  if (token === '' || error)
    return (
      <Card title="Your mail">
        <p role="alert">{error ? sentence(error) : 'This link is not complete.'}</p>
        <Link to="/" className={buttonClass('outline', 'mt-8 w-full')}>
          Back to the music
        </Link>
      </Card>
    )
  if (!data)
    return (
      <Card title="Your mail">
        <Skeleton className="h-40" label="Fetching what you get" />
      </Card>
    )
  return data.subscribed ? <Leave token={token} is={data} /> : <Left token={token} is={data} />
}

type Part = { token: string; is: Preferences }

function Leave({ token, is: { list, email, city } }: Part) {
  const unsubscribe = useUnsubscribe(token)
  const what = list === 'newsletter' ? 'our list: new drops, music and shows' : 'news of new shows'
  return (
    <Card title="Your mail">
      <p>
        <strong className="break-all">{email}</strong> gets {what}.
      </p>
      <Button
        look="foil"
        className="mt-8 min-h-14 w-full"
        aria-disabled={unsubscribe.isPending}
        onClick={() => !unsubscribe.isPending && unsubscribe.mutate()}
      >
        {unsubscribe.isPending ? 'Unsubscribing' : 'Unsubscribe'}
      </Button>
      {unsubscribe.error && (
        <p role="alert" className="mt-4 text-sunset">
          {sentence(unsubscribe.error)}
        </p>
      )}
      {list === 'newsletter' && <City token={token} city={city} />}
    </Card>
  )
}

/** Where the reader lives, so that mail about shows there reaches them. */
function City({ token, city }: { token: string; city: string | null }) {
  const change = useChangePreferences(token)
  const [problem, setProblem] = useState<string>()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (change.isPending) return
    setProblem(undefined)
    const given = String(new FormData(event.currentTarget).get('city'))
    change.mutate(
      { city: given },
      {
        onSuccess: ({ city }) => toast({ title: 'Saved', text: city ? `Your city is ${city}.` : 'No city is noted.' }),
        onError: (error) => setProblem(sentence(error)),
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
        hint="For mail about shows near you."
        error={problem}
      />
      <Button type="submit" aria-disabled={change.isPending}>
        {change.isPending ? 'Saving' : 'Save'}
      </Button>
    </form>
  )
}

function Left({ token, is: { list } }: Part) {
  const change = useChangePreferences(token)
  return (
    <Card title="You are off">
      <p role="status">Nothing more is sent to you from this list.</p>
      {list === 'newsletter' && (
        <Button
          className="mt-8 w-full"
          aria-disabled={change.isPending}
          onClick={() => !change.isPending && change.mutate({ subscribed: true })}
        >
          {change.isPending ? 'Coming back' : 'Put me back on the list'}
        </Button>
      )}
      {change.error && (
        <p role="alert" className="mt-4 text-sunset">
          {sentence(change.error)}
        </p>
      )}
      <Link to="/" className={buttonClass('quiet', 'mt-4 w-full')}>
        Back to the music
      </Link>
    </Card>
  )
}

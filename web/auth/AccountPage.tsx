import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import { usernameError } from '../../worker/contract/credential-rules'
import { errorMessage } from '../api/call'
import { AddressSettings } from '../checkout/AddressSettings'
import { Library } from '../downloads/Library'
import { formatLongDate } from '../lib/format'
import { NewsletterSettings } from '../newsletter/NewsletterSettings'
import { AccountOrders } from '../orders/AccountOrders'
import { awardText } from '../points/award-text'
import { useSite } from '../site/site.queries'
import { Favorites } from '../tracks/Favorites'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Skeleton } from '../ui/Skeleton'
import { toast, toastError } from '../ui/toast'
import { PhoneField, UsernameField } from './AccountFields'
import { accountQuery, useChangeSettings } from './account.queries'
import { useMe } from './auth.queries'
import { DataSettings } from './DataSettings'
import { EmailSettings } from './EmailSettings'
import { PasskeySettings } from './PasskeySettings'
import { PasswordSettings } from './PasswordSettings'
import { SettingsSection } from './SettingsSection'

const accountSkeleton = (
  <div className="col-span-full">
    <Skeleton className="h-96" label="Loading your account" />
  </div>
)

/** /account: favorites, profile, newsletter, library, orders, addresses, password, passkeys and personal data. */
export function AccountPage() {
  const me = useMe()
  const isLoggedIn = Boolean(me)
  const tierName = useSite()?.tiers.find(({ id }) => id === me?.tier)?.name
  const query = useQuery({ ...accountQuery, enabled: isLoggedIn })
  return (
    <main id="content" tabIndex={-1} className="page-grid py-10 md:py-20">
      <header className="col-span-full mb-10 md:mb-16">
        <h1 className="font-display text-title">Your account</h1>
        {tierName && query.data && (
          <p className="mt-4 text-muted">
            <Link to="/subscribe" className="text-ivory underline underline-offset-4 hover:text-gold-bright">
              {tierName} tier
            </Link>
            , supporter since <time dateTime={query.data.createdAt}>{formatLongDate(query.data.createdAt)}</time>
          </p>
        )}
      </header>
      <QueryBoundary
        query={query}
        loading={accountSkeleton}
        error="Your account could not be loaded."
        errorClassName="col-span-full"
      >
        {(account) =>
          // After a logout this page stays visible until the next one has loaded, and must not fetch.
          isLoggedIn && (
            <>
              <SettingsSection title="Your favorites">
                <Favorites />
              </SettingsSection>
              <ProfileSettings account={account} />
              {account.email && <NewsletterSettings email={account.email} />}
              <Library />
              <AccountOrders />
              <AddressSettings />
              <PasswordSettings account={account} />
              <PasskeySettings />
              <DataSettings />
            </>
          )
        }
      </QueryBoundary>
    </main>
  )
}

function ProfileSettings({ account }: { account: Account }) {
  const change = useChangeSettings()
  const [error, setError] = useState<string>()

  function rename(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const username = String(new FormData(event.currentTarget).get('username')).trim()
    if (change.isPending || username === account.username) return
    const invalidReason = usernameError(username)
    setError(invalidReason ?? undefined)
    if (invalidReason) return
    change.mutate(
      { username },
      {
        onSuccess: () => toast({ title: 'Name changed', text: `You are now ${username}.` }),
        onError: (error) => {
          setError(errorMessage(error))
          toastError('Name not changed')(error)
        },
      },
    )
  }

  return (
    <>
      <SettingsSection title="Name">
        <form noValidate method="post" onSubmit={rename} className="grid max-w-xl gap-5">
          <UsernameField defaultValue={account.username} error={error} />
          <Button type="submit" aria-disabled={change.isPending} className="justify-self-start">
            Save the name
          </Button>
        </form>
      </SettingsSection>
      <EmailSettings account={account} />
      <PhoneSettings account={account} />
      <SettingsSection title="Leaderboard">
        <label className="flex min-h-12 max-w-xl cursor-pointer items-start gap-4">
          <input
            type="checkbox"
            className="mt-1 size-5 shrink-0 accent-(--color-gold)"
            checked={!account.leaderboardOptOut}
            // Ignored while saving, because a disabled checkbox would lose the focus.
            onChange={(event) =>
              change.isPending ||
              change.mutate({ leaderboardOptOut: !event.target.checked }, { onError: toastError('Not changed') })
            }
          />
          <span>
            Show me on the leaderboard
            <span className="block text-sm text-muted">Your name and your points, nothing else.</span>
          </span>
        </label>
      </SettingsSection>
    </>
  )
}

function PhoneSettings({ account: { phoneEnds } }: { account: Account }) {
  const change = useChangeSettings()
  const [error, setError] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const phoneNumber = String(new FormData(form).get('phoneNumber')).trim()
    setError(phoneNumber === '' ? 'Please enter a valid phone number.' : undefined)
    if (phoneNumber === '' || change.isPending) return
    change.mutate(
      { phoneNumber },
      {
        onSuccess: ({ result: { phoneEnds }, missions }) => {
          form.reset()
          toast({
            title: 'Phone number saved',
            text: `We can only see that it ends in ${phoneEnds}. ${awardText({ missions })}`.trim(),
          })
        },
        onError: (error) => {
          setError(errorMessage(error))
          toastError('Phone number not saved')(error)
        },
      },
    )
  }

  return (
    <SettingsSection title="Phone">
      <form noValidate method="post" onSubmit={submit} className="grid max-w-xl gap-5">
        <PhoneField
          label={phoneEnds ? `New number (current one ends in ${phoneEnds})` : 'Phone number'}
          error={error}
        />
        <Button type="submit" aria-disabled={change.isPending} className="justify-self-start">
          Save the number
        </Button>
      </form>
    </SettingsSection>
  )
}

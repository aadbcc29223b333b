import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { adminSession, useAdminLogOut } from './admin-session.queries'
import { sessionExpired } from './guard'
import { SecondFactor } from './SecondFactor'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** The desk: who is here and until when. */
export function AdminPage() {
  const { data: session } = useQuery(adminSession)
  const logOut = useAdminLogOut()
  const navigate = useNavigate()
  const expiresAt = session?.expiresAt

  // An open desk closes by itself when its 24 hours are over, whatever is done meanwhile.
  useEffect(() => {
    if (!expiresAt) return
    const timer = setTimeout(() => {
      sessionExpired()
      void navigate({ to: '/admin-login' })
    }, Date.parse(expiresAt) - Date.now())
    return () => clearTimeout(timer)
  }, [expiresAt, navigate])

  return (
    <main id="content" className="page-grid py-10 md:py-20">
      <header className="col-span-full flex flex-wrap items-end justify-between gap-6">
        <h1 className="font-display text-title">Admin</h1>
        <Button
          aria-disabled={logOut.isPending}
          onClick={() =>
            logOut.mutate(undefined, {
              onSuccess: () => {
                toast({ title: 'Logged Out' })
                void navigate({ to: '/admin-login' })
              },
              onError: ({ message }) => toast({ title: 'Log out failed', text: message, tone: 'destructive' }),
            })
          }
        >
          Log out
        </Button>
        {session && (
          <p className="w-full border-t border-rule pt-4 text-muted">
            Logged in as <span className="text-ivory">{session.username}</span> until{' '}
            <time dateTime={session.expiresAt} className="figures text-ivory">
              {clock.format(Date.parse(session.expiresAt))}
            </time>
          </p>
        )}
      </header>
      <SecondFactor />
    </main>
  )
}

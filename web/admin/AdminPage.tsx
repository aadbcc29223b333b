import '../styles/admin.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { Suspense } from 'react'
import { Button } from '../ui/Button'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { adminSession, useAdminLogOut } from './admin-session.queries'
import { ADMIN_TABS, adminTab } from './admin-tabs'
import { useAdminSessionExpiry } from './useAdminSessionExpiry'
import { useScrollTabIntoView } from './useScrollTabIntoView'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** The desk: who is here and until when, and a tab for each thing that the artist's people run. */
export function AdminPage() {
  const { data: session } = useQuery(adminSession)
  const { tab } = useSearch({ from: '/admin' })
  const logOut = useAdminLogOut()
  const navigate = useNavigate()
  const openTab = adminTab(tab)
  useAdminSessionExpiry(session)

  const tabs = useScrollTabIntoView(openTab.id)

  return (
    <main id="content" className="page-grid pt-8 pb-16 md:pt-12">
      <header className="col-span-full mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 md:mb-10">
        <div>
          <h1 className="font-display text-2xl">Admin</h1>
          {session && (
            <p className="mt-2 text-sm text-muted">
              Logged in as <span className="text-ivory">{session.username}</span> until{' '}
              <time dateTime={session.expiresAt} className="figures text-ivory">
                {clock.format(Date.parse(session.expiresAt))}
              </time>
            </p>
          )}
        </div>
        <Button
          aria-disabled={logOut.isPending}
          onClick={() =>
            logOut.mutate(undefined, {
              onError: ({ message }) => toast({ title: 'Log out failed', text: message, tone: 'destructive' }),
            })
          }
        >
          Logout
        </Button>
      </header>
      <Tabs.Root
        value={openTab.id}
        onValueChange={(next) => void navigate({ to: '/admin', search: { tab: next }, resetScroll: false })}
        activationMode="manual"
        className="desk col-span-full"
      >
        <Tabs.List ref={tabs} aria-label="The desk" className="desk-tabs">
          {ADMIN_TABS.map(({ id, label }) => (
            <Tabs.Trigger key={id} value={id} className="desk-tab font-label">
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={openTab.id} className="min-w-0">
          <Suspense fallback={<Skeleton label={`Opening ${openTab.label}`} className="h-96" />}>
            <openTab.Screen />
          </Suspense>
        </Tabs.Content>
      </Tabs.Root>
    </main>
  )
}

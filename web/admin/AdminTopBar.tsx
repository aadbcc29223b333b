import { Link } from '@tanstack/react-router'
import { ChevronDown, ExternalLink } from 'lucide-react'
import type { AdminSession } from '../../worker/contract/admin'
import { useDisclosure } from '../layout/useDisclosure'
import { formatDateTime } from '../lib/format'
import { useNow } from '../lib/useNow'
import { useSite } from '../site/site.queries'
import { toastError } from '../ui/toast'
import { useAdminLogOut } from './admin-session'
import { ScreenLink } from './ScreenLink'
import { SearchButton } from './SearchButton'
import { TEAM_ROLE_LABELS } from './team-roles'

const MINUTE_MS = 60_000

/** `readAt` is when the session was read, by this device's clock. */
type Props = { session: AdminSession; readAt: number }

export function AdminTopBar({ session, readAt }: Props) {
  const site = useSite()
  return (
    <header className="admin-top-bar">
      <ScreenLink
        screen="home"
        className="flex min-h-11 min-w-0 items-center gap-2 font-display text-xs tracking-normal hover:text-gold-bright"
      >
        <span className="truncate">{site?.artist.name ?? 'Dashboard'}</span>
        <span className="font-label text-gold max-sm:sr-only">Admin</span>
      </ScreenLink>
      <div className="ml-auto flex items-center gap-1 sm:gap-4">
        <SearchButton role={session.teamRole} />
        <Link
          to="/"
          className="flex min-h-11 items-center gap-2 px-2 text-sm font-medium text-muted hover:text-gold-bright"
        >
          <ExternalLink size={18} aria-hidden />
          <span className="max-sm:sr-only">View site</span>
        </Link>
        <AccountMenu session={session} readAt={readAt} />
      </div>
    </header>
  )
}

function AccountMenu({ session, readAt }: Props) {
  const { close, container, buttonProps, panelProps } = useDisclosure()
  const logOut = useAdminLogOut()
  const itemClass = 'flex min-h-11 w-full items-center px-4 text-left text-sm font-medium hover:text-gold-bright'
  return (
    <div ref={container} className="relative">
      <button
        {...buttonProps}
        className="flex min-h-11 items-center gap-1 px-2 text-sm font-medium hover:text-gold-bright"
      >
        <span className="sr-only">Account of</span>
        <span className="max-w-28 truncate sm:max-w-48">{session.username}</span>
        <ChevronDown size={18} aria-hidden />
      </button>
      <div
        {...panelProps}
        className="absolute top-full right-0 mt-1 w-64 border border-rule bg-sleeve-high pb-1 shadow-[0_24px_48px_oklch(0_0_0/0.7)]"
      >
        <p className="border-b border-rule px-4 py-3 text-sm">
          <span className="block truncate font-semibold">{session.username}</span>
          {session.teamRole && <span className="block text-muted">{TEAM_ROLE_LABELS[session.teamRole]}</span>}
          <SessionTimeLeft session={session} readAt={readAt} />
        </p>
        <ul>
          <li>
            <ScreenLink screen="security" onClick={close} className={itemClass}>
              Security
            </ScreenLink>
          </li>
          <li>
            <button
              type="button"
              className={itemClass}
              aria-disabled={logOut.isPending}
              onClick={() => logOut.isPending || logOut.mutate(undefined, { onError: toastError('Log out failed') })}
            >
              Log out
            </button>
          </li>
        </ul>
      </div>
    </div>
  )
}

/** Counts down the remaining time that the server sent, because device clocks may be wrong. */
function SessionTimeLeft({ session, readAt }: Props) {
  const elapsedMs = useNow(MINUTE_MS) - readAt
  const minutes = Math.max(0, Math.ceil((session.secondsLeft * 1000 - elapsedMs) / MINUTE_MS))
  const hours = Math.floor(minutes / 60)
  const minutesPastHour = minutes % 60
  return (
    <time
      dateTime={session.expiresAt}
      title={formatDateTime(session.expiresAt)}
      className="tabular-figures block text-muted"
    >
      Logged in for {hours > 0 && `${hours} h `}
      {minutesPastHour} min more
    </time>
  )
}

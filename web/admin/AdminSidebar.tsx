import { clsx } from 'clsx'
import { useEffect, useId, useRef } from 'react'
import { SCREEN_GROUPS, type ScreenId, screensOf } from '../../worker/contract/admin-screens'
import type { TeamRole } from '../../worker/contract/endpoint'
import { formatCount } from '../lib/format'
import { usePendingTaskCounts } from './pending-tasks.queries'
import { ScreenLink } from './ScreenLink'
import { SCREEN_VIEWS } from './screens'

type Props = { role: TeamRole | null; current: ScreenId | null }

/** The dashboard's navigation on wide screens. It scrolls to the entry of the opened screen. */
export function AdminSidebar(props: Props) {
  const nav = useRef<HTMLElement>(null)
  const { current } = props
  useEffect(() => {
    const entry = current && nav.current?.querySelector<HTMLElement>('[aria-current=page]')
    if (!nav.current || !entry) return
    // `scrollIntoView` would also scroll the page.
    const top = entry.getBoundingClientRect().top - nav.current.getBoundingClientRect().top
    const isVisible = top >= 0 && top + entry.offsetHeight <= nav.current.clientHeight
    if (!isVisible) nav.current.scrollTop += top - nav.current.clientHeight / 2
  }, [current])
  return (
    <nav ref={nav} aria-label="Dashboard" className="admin-sidebar max-lg:hidden">
      <ScreenGroups {...props} />
    </nav>
  )
}

/** The screens of a role in their groups. */
export function ScreenGroups({ role, current, onSelect }: Props & { onSelect?: () => void }) {
  const idPrefix = useId()
  const counts = usePendingTaskCounts()
  const screens = screensOf(role)
  return SCREEN_GROUPS.map((group) => {
    const entries = screens.filter((screen) => screen.group === group)
    return (
      entries.length > 0 && (
        <section key={group} aria-labelledby={`${idPrefix}-${group}`} className="mb-5">
          <h2 id={`${idPrefix}-${group}`} className="mb-1 px-3 text-xs font-semibold text-muted">
            {group}
          </h2>
          <ul>
            {entries.map(({ id, label }) => {
              const { Icon } = SCREEN_VIEWS[id]
              const count = counts.get(id)
              const countId = `${idPrefix}-${id}`
              return (
                <li key={id} className="relative">
                  <ScreenLink
                    screen={id}
                    onClick={onSelect}
                    aria-current={id === current ? 'page' : undefined}
                    aria-describedby={count ? countId : undefined}
                    className={clsx('admin-entry', id === current && 'admin-entry-current')}
                  >
                    <Icon size={18} aria-hidden className="shrink-0" />
                    <span className="min-w-0 flex-1">{label}</span>
                  </ScreenLink>
                  {count && (
                    <span
                      id={countId}
                      className="tabular-figures pointer-events-none absolute inset-y-0 right-3 flex items-center text-xs font-semibold text-gold-bright"
                    >
                      {formatCount(count)}
                      <span className="sr-only"> waiting</span>
                    </span>
                  )}
                </li>
              )
            })}
          </ul>
        </section>
      )
    )
  })
}

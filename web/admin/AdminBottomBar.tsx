import { clsx } from 'clsx'
import { BarChart3, DoorOpen, Menu, Package, PenLine } from 'lucide-react'
import { useState } from 'react'
import { type ScreenId, screensOf } from '../../worker/contract/admin-screens'
import type { TeamRole } from '../../worker/contract/endpoint'
import { Dialog } from '../ui/Dialog'
import { ScreenGroups } from './AdminSidebar'
import { ScreenLink } from './ScreenLink'

const ITEMS = [
  { id: 'home', label: 'Home', Icon: BarChart3 },
  { id: 'orders', label: 'Orders', Icon: Package },
  { id: 'door', label: 'Door', Icon: DoorOpen },
  { id: 'posts', label: 'Post', Icon: PenLine },
] as const

type Props = { role: TeamRole | null; current: ScreenId | null }

/** The dashboard's navigation on small screens; "More" lists every screen. */
export function AdminBottomBar({ role, current }: Props) {
  const [isMoreOpen, setIsMoreOpen] = useState(false)
  const allowed = screensOf(role).map(({ id }) => id)
  const items = ITEMS.filter(({ id }) => allowed.includes(id))
  const isOtherScreen = !items.some(({ id }) => id === current)
  return (
    <nav aria-label="Quick navigation" className="admin-bottom-bar lg:hidden">
      <ul className="mx-auto flex h-(--bottom-bar) max-w-xl *:flex-1">
        {items.map(({ id, label, Icon }) => (
          <li key={id}>
            <ScreenLink
              screen={id}
              aria-current={id === current ? 'page' : undefined}
              className={itemClass(id === current)}
            >
              <Icon size={22} aria-hidden />
              {label}
            </ScreenLink>
          </li>
        ))}
        <li>
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => setIsMoreOpen(true)}
            className={clsx(itemClass(isOtherScreen), 'w-full')}
          >
            <Menu size={22} aria-hidden />
            More
          </button>
        </li>
      </ul>
      {isMoreOpen && (
        <Dialog title="All screens" onClose={() => setIsMoreOpen(false)}>
          <nav aria-label="Dashboard" className="p-4 pt-6">
            <ScreenGroups role={role} current={current} onSelect={() => setIsMoreOpen(false)} />
          </nav>
        </Dialog>
      )}
    </nav>
  )
}

const itemClass = (isCurrent: boolean) =>
  clsx(
    'flex h-full min-h-12 flex-col items-center justify-center gap-1 border-t-2 text-center text-xs/4 font-medium',
    isCurrent ? 'border-gold text-gold-bright' : 'border-transparent text-muted',
  )

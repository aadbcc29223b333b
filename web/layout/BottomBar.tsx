import { clsx } from 'clsx'
import { CalendarDays, Disc3, Medal, ShoppingBag } from 'lucide-react'
import { useAppearance } from '../site/site.queries'
import { useActiveSection } from './active-section'
import { SectionLink } from './SectionLink'

const ITEMS = [
  { id: 'music', label: 'Music', Icon: Disc3 },
  { id: 'merch', label: 'Merch', Icon: ShoppingBag },
  { id: 'concerts', label: 'Shows', Icon: CalendarDays },
  { id: 'smart-features', label: 'Supporter Missions', Icon: Medal },
] as const

/** Navigation on small screens. */
export function BottomBar() {
  const { sections, labels } = useAppearance()
  const items = ITEMS.filter(({ id }) => sections.includes(id))
  const active = useActiveSection(items.map(({ id }) => id))
  return (
    <nav
      id="bottom-bar"
      aria-label="Quick navigation"
      className="bottom-bar fixed inset-x-0 bottom-0 z-30 h-[calc(var(--bottom-bar)+env(safe-area-inset-bottom)+1px)] border-t border-rule bg-background md:hidden"
    >
      <ul className="mx-auto flex h-(--bottom-bar) max-w-xl">
        {items.map(({ id, label, Icon }) => (
          <li key={id} className={id === 'smart-features' ? 'flex-[1.65]' : 'flex-1'}>
            <SectionLink
              section={id}
              aria-current={active === id ? 'location' : undefined}
              className={clsx(
                'flex h-full min-h-12 flex-col items-center justify-center gap-1 border-t-2 text-center text-[0.875rem]/4 font-medium',
                active === id ? 'border-gold text-gold-bright' : 'border-transparent text-muted',
              )}
            >
              <Icon size={22} aria-hidden />
              {labels[id] ?? label}
            </SectionLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

import { Link, useRouterState } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useMe } from '../auth/auth.queries'
import { useSite } from '../site/site.queries'
import { AccountMenu } from './AccountMenu'
import { LoginLink } from './LoginLink'
import { NavMenu } from './NavMenu'
import { Points } from './Points'
import { SectionLink } from './SectionLink'
import { SECTIONS } from './sections'
import { useActiveSection } from './useActiveSection'

const ids = SECTIONS.map(({ id }) => id)

/** The bar over every screen: home, sections, the supporter's points and the way in. */
export function NavBar() {
  const site = useSite()
  const me = useMe()
  const active = useActiveSection(ids)
  const atHome = useRouterState({ select: ({ location }) => location.pathname === '/' })
  return (
    <header className="sticky top-0 z-40 border-b border-rule bg-ground/95 backdrop-blur-sm">
      <div className="mx-auto flex h-(--nav-height) max-w-page items-center gap-3 px-gutter max-[22.5rem]:gap-2 sm:gap-6">
        <Link
          to="/"
          aria-label={site ? undefined : 'Home'}
          // On the home page it glides up, and nothing else may scroll meanwhile: the router's own jump to the top, on
          // top of a glide that is under way, leaves the page short of it. Another screen begins at its top anyway.
          resetScroll={!atHome}
          onClick={() => atHome && scrollTo({ top: 0 })}
          className="mr-auto flex min-h-12 min-w-24 max-w-[9.5rem] max-[22.5rem]:min-w-0 flex-col justify-center font-display text-xs leading-none tracking-normal hover:text-gold-bright"
        >
          {site?.artist.name.split(' ').map((word) => (
            <span key={word} className="block truncate">
              {word}{' '}
            </span>
          ))}
        </Link>
        <nav aria-label="Sections" className="hidden lg:block">
          <ul className="flex gap-1">
            {SECTIONS.map(({ id, label }) => (
              <li key={id}>
                <SectionLink
                  section={id}
                  aria-current={active === id ? 'location' : undefined}
                  className={clsx(
                    'nav-link flex min-h-12 items-center px-3 text-sm font-medium transition duration-200 ease-out hover:text-gold-bright',
                    active === id ? 'text-gold-bright' : 'text-ivory',
                  )}
                >
                  {label}
                </SectionLink>
              </li>
            ))}
          </ul>
        </nav>
        <Points points={me?.points ?? 0} />
        <LoginLink known={Boolean(me)} />
        {me && <AccountMenu username={me.username} />}
        <NavMenu contact={site?.artist.links.contact ?? ''} username={me?.username} />
      </div>
    </header>
  )
}

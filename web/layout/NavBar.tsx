import { Link, useRouterState } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { Suspense } from 'react'
import { useSession } from '../auth/auth.queries'
import { useHasCart } from '../cart/cart-presence'
import { formatCount } from '../lib/format'
import { useNavSections, useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { EmptyFallback, lazyOptional } from '../ui/lazy'
import { AccountItems } from './AccountItems'
import { useActiveSection } from './active-section'
import { NavMenu } from './NavMenu'
import { SectionLink } from './SectionLink'
import { useDisclosure } from './useDisclosure'

const CartButton = lazyOptional(() => import('../cart/CartButton').then((m) => m.CartButton), EmptyFallback)

/** The navigation at the top of every page. */
export function NavBar() {
  const site = useSite()
  const session = useSession()
  const { me } = session
  const hasCart = useHasCart()
  // Offline, the session cannot be read: the visitor may be logged in.
  const isPending = session.isPending || (me === undefined && !navigator.onLine)
  const sections = useNavSections()
  const active = useActiveSection(sections.map(({ id }) => id))
  const isHome = useRouterState({ select: ({ location }) => location.pathname === '/' })
  const isShop = useRouterState({ select: ({ location }) => location.pathname.startsWith('/merch') })
  return (
    <header className="nav-bar sticky top-0 z-40 border-b border-rule bg-background/95 backdrop-blur-sm">
      <div className="mx-auto flex h-(--nav-height) max-w-page items-center gap-3 px-gutter max-[22.5rem]:gap-2 sm:gap-6">
        <Link
          to="/"
          aria-label={site ? undefined : 'Home'}
          // On the home page, the router's scroll reset would interrupt the smooth scroll.
          resetScroll={!isHome}
          onClick={() => isHome && scrollTo({ top: 0 })}
          className="mr-auto flex min-h-12 min-w-24 max-w-[9.5rem] max-[22.5rem]:min-w-0 flex-col justify-center font-display text-xs leading-none tracking-normal hover:text-gold-bright"
        >
          {site?.artist.name.split(' ').map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name can repeat a word, and the order never changes.
            <span key={index} className="block truncate">
              {word}{' '}
            </span>
          ))}
        </Link>
        <nav aria-label="Sections" className="hidden lg:block">
          <ul className="flex gap-1">
            {sections.map(({ id, label }) => (
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
        {/* The account's cart is loaded on shop pages only. */}
        {(hasCart || (me && isShop)) && (
          <Suspense>
            <CartButton />
          </Suspense>
        )}
        <Points points={me?.points ?? 0} isPending={isPending} />
        {isPending && (
          // Reserves the space of the login link.
          <span aria-hidden="true" className={clsx(linkClass, 'invisible')}>
            Sign Up / Login
          </span>
        )}
        {me && (
          <>
            <Link to="/subscribe" className={linkClass}>
              Subscribe
            </Link>
            <AccountMenu username={me.username} />
          </>
        )}
        {!me && !isPending && <LoginLink />}
        <NavMenu contact={site?.artist.links.contact ?? ''} username={me?.username} />
      </div>
    </header>
  )
}

/** On small screens the same links are in NavMenu. */
function AccountMenu({ username }: { username: string }) {
  const { close, container, buttonProps, panelProps } = useDisclosure()
  return (
    <div ref={container} className="relative hidden lg:block">
      <button {...buttonProps} className="flex min-h-12 items-center gap-1 text-sm font-medium hover:text-gold-bright">
        <span className="sr-only">Account of</span>
        <span className="max-w-36 truncate">{username}</span>
        <ChevronDown size={18} aria-hidden />
      </button>
      <ul
        {...panelProps}
        className="absolute top-full right-0 mt-2 w-48 border border-rule bg-sleeve-high py-1 shadow-[0_24px_48px_oklch(0_0_0/0.7)]"
      >
        <AccountItems
          onSelect={close}
          className="flex min-h-12 w-full items-center px-4 text-left text-sm font-medium hover:text-gold-bright"
        />
      </ul>
    </div>
  )
}

const linkClass = buttonClass(
  'outline',
  'border-gold! px-4! text-gold-bright max-sm:px-2.5! max-[22.5rem]:px-1.5! max-sm:tracking-normal max-sm:[font-stretch:100%] sm:min-w-44',
)

/** After the login, the visitor returns to the current page. The login page validates the URL. */
function LoginLink() {
  const { href, pathname } = useRouterState({ select: ({ location }) => location })
  const canReturn = href !== '/' && !['/login', '/auth', '/signup'].includes(pathname)
  return (
    <Link to="/login" search={canReturn ? { return: href } : {}} className={linkClass}>
      Sign Up / Login
    </Link>
  )
}

function Points({ points, isPending }: { points: number; isPending: boolean }) {
  return (
    <p
      className={clsx(
        'tabular-figures flex shrink-0 items-center gap-2 font-semibold text-gold-bright',
        isPending && 'invisible',
      )}
    >
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" className="text-gold max-[22.5rem]:hidden">
        <circle cx="10" cy="10" r="9.5" fill="currentColor" />
        <g fill="none" stroke="var(--color-gold-deep)" strokeWidth="0.75">
          <circle cx="10" cy="10" r="7.4" />
          <circle cx="10" cy="10" r="5.6" />
        </g>
        <circle cx="10" cy="10" r="3.4" fill="var(--color-background)" />
        <circle cx="10" cy="10" r="1" fill="currentColor" />
      </svg>
      <span className="sr-only">Your points:</span>
      {formatCount(points)}
    </p>
  )
}

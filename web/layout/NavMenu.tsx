import { ExternalLink, Menu, X } from 'lucide-react'
import { useNavSections } from '../site/site.queries'
import { AccountItems } from './AccountItems'
import { SectionLink } from './SectionLink'
import { useDisclosure } from './useDisclosure'

/**
 * Sections and account links on small screens. `contact` is the artist's social profile, empty if there is none;
 * `username` is undefined for visitors.
 */
export function NavMenu({ contact, username }: { contact: string; username?: string }) {
  const { open, close, container, buttonProps, panelProps } = useDisclosure()
  const sections = useNavSections()
  const rowClass =
    'flex min-h-14 items-center gap-3 border-t border-rule px-gutter font-display text-lg hover:text-gold-bright'
  return (
    <div ref={container} className="-mr-3 lg:hidden">
      <button {...buttonProps} className="grid size-12 place-items-center hover:text-gold-bright">
        {open ? <X aria-hidden /> : <Menu aria-hidden />}
        <span className="sr-only">{open ? 'Close menu' : 'Menu'}</span>
      </button>
      <nav
        {...panelProps}
        aria-label="Menu"
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-var(--nav-height))] overflow-y-auto border-b border-rule bg-background pb-4 shadow-[0_24px_48px_oklch(0_0_0/0.7)]"
      >
        <ul>
          {sections.map(({ id, label }) => (
            <li key={id}>
              <SectionLink section={id} onClick={close} className={rowClass}>
                {label}
              </SectionLink>
            </li>
          ))}
          {contact && (
            <li>
              <a href={contact} target="_blank" rel="noopener" onClick={close} className={rowClass}>
                Contact
                <ExternalLink size={18} aria-hidden className="text-muted" />
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            </li>
          )}
          {username && (
            <>
              <li className="border-t border-rule px-gutter pt-5 pb-2">
                <span className="font-label text-muted">
                  Logged in as <span className="normal-case text-gold-bright">{username}</span>
                </span>
              </li>
              <AccountItems onSelect={close} className={`${rowClass} w-full`} />
            </>
          )}
        </ul>
      </nav>
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { useLogOutAndGoHome } from '../auth/auth.queries'
import { useDisclosure } from '../ui/useDisclosure'

/** Account and log out, beneath the supporter's name. On small screens the same two stand in the menu. */
export function AccountMenu({ username }: { username: string }) {
  const { open, setOpen, frame, button } = useDisclosure()
  const leave = useLogOutAndGoHome()
  const list = useId()
  const row = 'flex min-h-12 w-full items-center px-4 text-left text-sm font-medium hover:text-gold-bright'
  return (
    <div ref={frame} className="relative hidden lg:block">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={list}
        onClick={() => setOpen(!open)}
        className="flex min-h-12 items-center gap-1 text-sm font-medium hover:text-gold-bright"
      >
        <span className="sr-only">Account of</span>
        <span className="max-w-36 truncate">{username}</span>
        <ChevronDown size={18} aria-hidden />
      </button>
      <ul
        id={list}
        hidden={!open}
        className="absolute top-full right-0 mt-2 w-48 border border-rule bg-sleeve-high py-1 shadow-[0_24px_48px_oklch(0_0_0/0.7)]"
      >
        <li>
          <Link to="/account" onClick={() => setOpen(false)} className={row}>
            Account
          </Link>
        </li>
        <li>
          <button
            type="button"
            onClick={() => {
              setOpen(false)
              leave()
            }}
            className={row}
          >
            Log out
          </button>
        </li>
      </ul>
    </div>
  )
}

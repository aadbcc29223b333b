import { Link, useRouterState } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button'

const linkClass = buttonClass(
  'outline',
  'border-gold! px-4! text-gold-bright max-sm:px-2.5! max-[22.5rem]:px-1.5! max-sm:tracking-normal max-sm:[font-stretch:100%] sm:min-w-44',
)

/** 'Subscribe' for a supporter, 'Sign Up / Login' for everybody else. */
export function LoginLink({ known }: { known: boolean }) {
  if (known)
    return (
      <Link to="/subscribe" className={linkClass}>
        Subscribe
      </Link>
    )
  return <VisitorLink />
}

/** Comes back to the page it was pressed on, where that is one to come back to (the screen checks). */
function VisitorLink() {
  const here = useRouterState({ select: ({ location }) => location.href })
  const elsewhere = here !== '/' && !/^\/(login|auth|signup)\b/.test(here)
  return (
    <Link to="/login" search={elsewhere ? { return: here } : {}} className={linkClass}>
      Sign Up / Login
    </Link>
  )
}

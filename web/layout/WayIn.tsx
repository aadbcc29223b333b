import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button'

const look = buttonClass(
  'outline',
  'border-gold! px-4! text-gold-bright max-sm:px-2.5! max-sm:tracking-normal max-sm:[font-stretch:100%] sm:min-w-44',
)

/** 'Subscribe' for a supporter, 'Sign Up / Login' for everybody else. */
export function WayIn({ known }: { known: boolean }) {
  if (known)
    return (
      <Link to="/subscribe" className={look}>
        Subscribe
      </Link>
    )
  return (
    <a href="/login" className={look}>
      Sign Up / Login
    </a>
  )
}

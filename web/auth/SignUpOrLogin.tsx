import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button'

/** Both ways to an account, side by side; either comes back to `back`, an address of this site. */
export function SignUpOrLogin({ back }: { back: string }) {
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <Link to="/signup" search={{ return: back }} className={buttonClass('foil')}>
        Sign Up
      </Link>
      <Link to="/login" search={{ return: back }} className={buttonClass()}>
        Login
      </Link>
    </div>
  )
}

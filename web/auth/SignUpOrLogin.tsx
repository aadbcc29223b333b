import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button'

/** Links to sign-up and login, which return to the path `back`. */
export function SignUpOrLogin({ back }: { back: string }) {
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <Link to="/signup" search={{ return: back }} className={buttonClass('primary')}>
        Sign Up
      </Link>
      <Link to="/login" search={{ return: back }} className={buttonClass()}>
        Login
      </Link>
    </div>
  )
}

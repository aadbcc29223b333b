import { Link } from '@tanstack/react-router'
import { useLogOutAndGoHome } from '../auth/auth.queries'

/** The entries of the account menu in NavBar, also in NavMenu. `onSelect` closes the menu. */
export function AccountItems({ onSelect, className }: { onSelect: () => void; className: string }) {
  const logOut = useLogOutAndGoHome()
  return (
    <>
      <li>
        <Link to="/account" onClick={onSelect} className={className}>
          Account
        </Link>
      </li>
      <li>
        <Link to="/music" hash="favorites" onClick={onSelect} className={className}>
          Your favorites
        </Link>
      </li>
      <li>
        <button
          type="button"
          onClick={() => {
            onSelect()
            logOut()
          }}
          className={className}
        >
          Log out
        </button>
      </li>
    </>
  )
}

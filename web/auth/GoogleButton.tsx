import { useId } from 'react'
import { authApi } from '../../worker/contract/auth'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'

/** Leaves for Google by a real navigation; the worker sends the browser back logged in, or with `?error=google`. */
export function GoogleButton({ referralCode = '', back = '' }: { referralCode?: string; back?: string }) {
  const available = useSite()?.google ?? true
  const id = useId()
  const query = new URLSearchParams({ ...(referralCode && { referralCode }), ...(back && { return: back }) }).toString()
  return (
    <>
      <a
        href={query ? `${authApi.google.path}?${query}` : authApi.google.path}
        aria-describedby={available ? undefined : id}
        className={buttonClass('outline', 'w-full')}
      >
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
          <path
            d="M19.5 7.2A9 9 0 1 0 21 12.6h-8.4"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.4"
            strokeLinecap="square"
          />
        </svg>
        Continue with Google
      </a>
      {!available && (
        <p id={id} className="mt-2 text-sm text-muted">
          Google sign-in is not set up on this site yet.
        </p>
      )}
    </>
  )
}

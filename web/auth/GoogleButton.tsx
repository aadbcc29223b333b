import { authApi } from '../../worker/contract/auth'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'

/** The path that starts a sign-in with Google; empty parameters are left out. */
export function googlePath(query: Record<string, string | undefined>): string {
  const params = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return params.size > 0 ? `${authApi.google.path}?${params}` : authApi.google.path
}

/** Renders nothing unless Google sign-in is configured. The worker redirects back, with `?error=` after a failure. */
export function GoogleButton({ query }: { query: Record<string, string | undefined> }) {
  if (!useSite()?.google) return null
  return (
    <>
      <p className="or-divider my-6 text-sm">or</p>
      <a href={googlePath(query)} className={buttonClass('outline', 'w-full')}>
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
    </>
  )
}

import { KeyRound } from 'lucide-react'
import { useHydrated } from '../lib/useHydrated'
import { Button } from '../ui/Button'
import { supportsPasskeys } from './passkeys.queries'

/** Renders nothing in browsers without passkeys. Reserves its space until hydration. */
export function PasskeyButton({ pending, onClick }: { pending: boolean; onClick: () => void }) {
  const isHydrated = useHydrated()
  if (isHydrated && !supportsPasskeys()) return null
  return (
    <Button
      className={isHydrated ? 'w-full' : 'invisible w-full'}
      aria-disabled={pending}
      onClick={() => pending || onClick()}
    >
      <KeyRound size={20} aria-hidden />
      {pending ? 'Waiting for your passkey' : 'Sign in with a passkey'}
    </Button>
  )
}

import { Suspense, useEffect, useState } from 'react'
import { type ReauthenticationRequest, setReauthenticationHandler } from '../api/reauthentication'
import { lazyDialog } from '../ui/lazy'

const ReauthenticationDialog = lazyDialog(() =>
  import('../auth/ReauthenticationDialog').then((m) => m.ReauthenticationDialog),
)

/** Shows the re-authentication dialog when a request needs recent authentication. */
export function Reauthentication() {
  const [pending, setPending] = useState<{
    request: ReauthenticationRequest
    resolve: (isReauthenticated: boolean) => void
  } | null>(null)
  useEffect(() => {
    setReauthenticationHandler((request) => new Promise((resolve) => setPending({ request, resolve })))
    return () => setReauthenticationHandler(null)
  }, [])
  if (!pending) return null
  return (
    <Suspense>
      <ReauthenticationDialog
        {...pending.request}
        onClose={(isReauthenticated) => {
          setPending(null)
          pending.resolve(isReauthenticated)
        }}
      />
    </Suspense>
  )
}

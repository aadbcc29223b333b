import { lazy, Suspense, useEffect, useState } from 'react'
import { type ReauthenticationKind, setReauthenticationHandler } from '../api/reauthentication'

const ReauthenticationDialog = lazy(() =>
  import('../auth/ReauthenticationDialog').then((m) => ({ default: m.ReauthenticationDialog })),
)

/** Asks for a password when a request needs recent authentication; the request is repeated afterwards. */
export function Reauthentication() {
  const [request, setRequest] = useState<{
    kind: ReauthenticationKind
    resolve: (confirmed: boolean) => void
  } | null>(null)
  useEffect(() => {
    setReauthenticationHandler((kind) => new Promise((resolve) => setRequest({ kind, resolve })))
    return () => setReauthenticationHandler(null)
  }, [])
  if (!request) return null
  return (
    <Suspense>
      <ReauthenticationDialog
        kind={request.kind}
        onClose={(confirmed) => {
          setRequest(null)
          request.resolve(confirmed)
        }}
      />
    </Suspense>
  )
}

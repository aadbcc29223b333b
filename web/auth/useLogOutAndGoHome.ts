import { useNavigate } from '@tanstack/react-router'
import { toast } from '../ui/toast'
import { useLogOut } from './auth.queries'

/** Logs out of this browser, says so and goes home. */
export function useLogOutAndGoHome() {
  const logOut = useLogOut()
  const navigate = useNavigate()
  return () => {
    if (logOut.isPending) return
    logOut.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Logged Out' })
        void navigate({ to: '/' })
      },
      onError: ({ message }) => toast({ title: 'Log out failed', text: message, tone: 'destructive' }),
    })
  }
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type PasskeyAssertion, passkeysApi } from '../../worker/contract/passkeys'
import { call } from '../api/call'
import { toast } from '../ui/toast'
import { setCurrentUser } from './auth.queries'

/** Loaded on first use: most visitors have no passkey. */
const loadWebauthn = () => import('@simplewebauthn/browser')

export const supportsPasskeys = () => typeof PublicKeyCredential !== 'undefined'

/** Whether the user dismissed the browser's dialog, or a newer request replaced this one. */
export const isPasskeyCanceled = (error: Error) => ['NotAllowedError', 'AbortError'].includes(error.name)

export const ownPasskeys = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: () => call(passkeysApi.list, {}),
})

/** Creates a passkey on this device or a security key. Needs recent authentication. */
export function useAddPasskey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) => {
      const optionsJSON = await call(passkeysApi.addOptions, {})
      const { startRegistration } = await loadWebauthn()
      const passkey = await startRegistration({ optionsJSON: optionsJSON as never })
      return call(passkeysApi.add, { body: { name, passkey: passkey as never } })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownPasskeys.queryKey }),
  })
}

export function useRenamePasskey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => call(passkeysApi.rename, { id, body: { name } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownPasskeys.queryKey }),
  })
}

/** Needs recent authentication. */
export function useRemovePasskey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(passkeysApi.remove, { id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownPasskeys.queryKey }),
  })
}

/**
 * Asks for a passkey. With `autofill`, the browser offers it in the username field instead of a dialog. Rejects with an
 * error for which `isPasskeyCanceled` is true if the user cancels or a newer request starts.
 */
export async function requestPasskey({ autofill = false } = {}): Promise<PasskeyAssertion> {
  const { startAuthentication, WebAuthnAbortService } = await loadWebauthn()
  // Ends a pending autofill request, whose challenge the new one replaces.
  WebAuthnAbortService.cancelCeremony()
  const optionsJSON = await call(passkeysApi.options, {})
  return (await startAuthentication({ optionsJSON: optionsJSON as never, useBrowserAutofill: autofill })) as never
}

export const supportsPasskeyAutofill = async () =>
  supportsPasskeys() && (await (await loadWebauthn()).browserSupportsWebAuthnAutofill())

export async function cancelPasskeyRequest(): Promise<void> {
  if (supportsPasskeys()) (await loadWebauthn()).WebAuthnAbortService.cancelCeremony()
}

export function useLogInWithPasskey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (options: { autofill?: boolean } = {}) =>
      call(passkeysApi.login, { body: { passkey: await requestPasskey(options) } }),
    // Not in the callbacks of `mutate`, which React Query drops if the login page has been unmounted by then.
    onSuccess: async (me) => {
      await setCurrentUser(queryClient, me)
      toast({ title: 'Welcome back!', text: `You are logged in as ${me.username}.` })
    },
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type * as z from 'zod/mini'
import { adminSessionApi } from '../../worker/contract/admin'
import { authApi, type Reauthentication } from '../../worker/contract/auth'
import { passkeysApi } from '../../worker/contract/passkeys'
import { adminSessionQuery, secondFactorQuery } from '../admin/admin-session'
import { call, errorMessage, hasCode } from '../api/call'
import type { ReauthenticationRequest } from '../api/reauthentication'
import { Button, buttonClass } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { PasswordField, TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { Skeleton } from '../ui/Skeleton'
import { toast, toastError } from '../ui/toast'
import { type FieldErrors, focusInvalidField, missingFieldsError, SecondFactorField } from './AccountFields'
import { accountQuery } from './account.queries'
import { googlePath } from './GoogleButton'
import { isPasskeyCanceled, requestPasskey, supportsPasskeys } from './passkeys.queries'

type Props = ReauthenticationRequest & { onClose: (isReauthenticated: boolean) => void }

/**
 * Asks for the account's password, a passkey or a Google sign-in before a sensitive action. An account with none of
 * them, nor a second factor, can have a code emailed.
 */
export function ReauthenticationDialog({ kind, irreversibleAction, onClose }: Props) {
  const title = irreversibleAction?.title ?? 'Confirm it’s you'
  const Form = kind === 'administrator' ? AdminForm : SupporterForm
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 font-display text-xl">{title}</h2>
        <p className="mt-3 max-w-prose text-muted">
          {irreversibleAction?.text ??
            'It’s been more than 15 minutes since you logged in. Confirm, and we’ll carry on.'}
        </p>
        <Form
          submitLabel={irreversibleAction?.button}
          isIrreversible={irreversibleAction !== undefined}
          onClose={onClose}
        />
      </div>
    </Dialog>
  )
}

type FormProps = Pick<Props, 'onClose'> & { submitLabel: string | undefined; isIrreversible: boolean }

function SupporterForm(props: FormProps) {
  // Another tab may have added a password or passkey.
  const { data, isFetchedAfterMount, isError } = useQuery({ ...accountQuery, refetchOnMount: 'always' })
  if (!data || !(isFetchedAfterMount || isError)) return <Skeleton label="One moment" className="mt-6 h-40" />
  return (
    <ReauthenticationForm
      {...props}
      emailedCode={
        data.emailedCode ? { to: data.email, send: () => call(authApi.sendReauthenticationCode, {}) } : undefined
      }
      isRecentlyAuthenticated={Date.parse(data.provenUntil) > Date.now()}
      hasPassword={data.hasPassword}
      hasGoogle={data.google}
      reauthenticate={(body) => call(authApi.reauthenticate, { body })}
      reauthenticateByPasskey={async () =>
        call(passkeysApi.reauthenticate, { body: { passkey: await requestPasskey() } })
      }
    />
  )
}

function AdminForm(props: FormProps) {
  const queryClient = useQueryClient()
  const session = useQuery(adminSessionQuery)
  const { data: secondFactor } = useQuery(secondFactorQuery)
  if (session.isPending) return <Skeleton label="One moment" className="mt-6 h-40" />
  const refetchSession = () => queryClient.invalidateQueries({ queryKey: adminSessionQuery.queryKey })
  return (
    <ReauthenticationForm
      {...props}
      hasPassword={session.data?.hasPassword !== false}
      emailedCode={
        session.data?.emailedCode
          ? { to: 'your confirmed address', send: () => call(adminSessionApi.sendReauthenticationCode, {}) }
          : undefined
      }
      hasSecondFactor={secondFactor?.enabled === true}
      hasGoogle={session.data?.google === true}
      googleFor="admin"
      reauthenticate={async ({ secondFactorCode, ...input }) => {
        // This endpoint's `code` is the second factor.
        const credential = 'code' in input ? { emailedCode: input.code } : input
        await call(adminSessionApi.reauthenticate, {
          body: { ...credential, ...(secondFactorCode && { code: secondFactorCode }) },
        })
        await refetchSession()
      }}
      reauthenticateByPasskey={async () => {
        await call(passkeysApi.reauthenticateAdmin, { body: { passkey: await requestPasskey() } })
        await refetchSession()
      }}
    />
  )
}

type ReauthenticationFormProps = FormProps & {
  /** Emails a code; undefined if that is not offered. */
  emailedCode?: { to: string; send: () => Promise<unknown> } | undefined
  /** Whether the user authenticated in the last 15 minutes, for example with Google. */
  isRecentlyAuthenticated?: boolean
  hasPassword: boolean
  hasGoogle?: boolean
  googleFor?: 'admin'
  /** If not set, the form asks for the second factor once the server requires it. */
  hasSecondFactor?: boolean
  reauthenticate: (input: z.input<typeof Reauthentication>) => Promise<unknown>
  reauthenticateByPasskey: () => Promise<unknown>
}

function ReauthenticationForm(props: ReauthenticationFormProps) {
  const {
    emailedCode,
    isRecentlyAuthenticated = false,
    hasPassword,
    hasGoogle,
    googleFor,
    hasSecondFactor = false,
    submitLabel = 'Confirm',
    isIrreversible,
    onClose,
  } = props
  const isByEmail = !hasPassword && emailedCode !== undefined
  const hasField = hasPassword || isByEmail
  // Without a field, recent authentication suffices: an irreversible action then needs only a press of the button.
  const isConfirmOnly = !hasField && isIrreversible && isRecentlyAuthenticated
  const [isSecondFactorRequired, setIsSecondFactorRequired] = useState(false)
  const [errors, setErrors] = useState<FieldErrors<'credential' | 'code' | 'form'>>({})
  const needsSecondFactor = hasSecondFactor || isSecondFactorRequired
  const reauthenticate = useMutation({ mutationFn: props.reauthenticate, onSuccess: () => onClose(true) })
  const reauthenticateByPasskey = useMutation({
    mutationFn: props.reauthenticateByPasskey,
    onSuccess: () => onClose(true),
    onError: (error) => isPasskeyCanceled(error) || setErrors({ form: errorMessage(error) }),
  })
  const sendEmailedCode = useMutation({
    mutationFn: async () => emailedCode?.send(),
    onSuccess: () => toast({ title: 'Email sent', text: `A six-digit code is on its way to ${emailedCode?.to}.` }),
    onError: toastError('Email not sent'),
  })
  const isPending = reauthenticate.isPending || reauthenticateByPasskey.isPending

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    if (isConfirmOnly) return onClose(true)
    const form = event.currentTarget
    const data = new FormData(form)
    const credential = String(data.get('credential'))
    const code = String(data.get('code') ?? '').trim()
    const missing: ('credential' | 'code')[] = credential.trim() === '' ? ['credential'] : []
    if (needsSecondFactor && code === '') missing.push('code')
    const { fields } = missingFieldsError(missing)
    setErrors(fields)
    if (missing.length > 0) return focusInvalidField(form, fields)
    reauthenticate.mutate(
      {
        ...(isByEmail ? { code: credential.trim() } : { password: credential }),
        ...(code && { secondFactorCode: code }),
      },
      {
        onError: (error) => {
          const text = errorMessage(error)
          if (hasCode(error, 'second_factor_required')) {
            setIsSecondFactorRequired(true)
            return setErrors({ code: text })
          }
          // If password and code were sent, the error may be about either: only its message says which.
          setErrors(code ? { form: text } : { credential: text })
          form.querySelector<HTMLInputElement>('[name=credential]')?.focus()
        },
      },
    )
  }

  const variant = hasField ? 'text' : 'outline'
  const className = hasField ? 'px-0!' : undefined
  const instead = hasField ? ' instead' : ''
  const alternatives = (
    <>
      {supportsPasskeys() && (
        <Button
          variant={variant}
          className={className}
          aria-disabled={isPending}
          onClick={() => isPending || reauthenticateByPasskey.mutate()}
        >
          <KeyRound size={18} aria-hidden />
          Use a passkey{instead}
        </Button>
      )}
      {/* After a Google sign-in, the form of an irreversible action would still require its field. */}
      {hasGoogle && !(isIrreversible && hasField) && (
        <a
          href={googlePath({ for: googleFor, return: window.location.pathname + window.location.search })}
          className={buttonClass(variant, className)}
        >
          Log in with Google again{instead}
        </a>
      )}
    </>
  )
  return (
    <form noValidate method="post" onSubmit={submit} className="mt-6 grid max-w-md gap-5">
      {isByEmail && (
        <TextField
          label="Six-digit code from our email"
          name="credential"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
          autoFocus
          error={errors.credential}
        />
      )}
      {hasPassword && (
        <PasswordField
          label="Your password"
          name="credential"
          autoComplete="current-password"
          required
          autoFocus
          error={errors.credential}
        />
      )}
      {needsSecondFactor && <SecondFactorField autoFocus={isSecondFactorRequired} error={errors.code} />}
      <FormError>{errors.form}</FormError>
      {!hasField && !isConfirmOnly && (
        <>
          <div className="flex flex-wrap gap-3">{alternatives}</div>
          <p className="text-muted">
            <Link to="/reset-password" className="underline">
              Or choose a password
            </Link>{' '}
            with a link by email.
          </p>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        {(hasField || isConfirmOnly) && (
          <Button
            type="submit"
            variant={isIrreversible ? 'outline' : 'primary'}
            aria-disabled={isPending}
            className={isIrreversible ? 'border-sunset! text-sunset' : undefined}
          >
            {isPending ? 'One moment' : submitLabel}
          </Button>
        )}
        <Button onClick={() => onClose(false)}>Cancel</Button>
      </div>
      {hasField && (
        <div className="flex flex-col items-start border-t border-rule pt-3 empty:hidden">
          {alternatives}
          {isByEmail && (
            <Button
              variant="text"
              className="px-0!"
              aria-disabled={sendEmailedCode.isPending}
              onClick={() => sendEmailedCode.isPending || sendEmailedCode.mutate()}
            >
              Email me a code
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

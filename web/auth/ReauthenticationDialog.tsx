import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type * as z from 'zod/mini'
import { adminSessionApi } from '../../worker/contract/admin'
import { authApi, type Reauthentication } from '../../worker/contract/auth'
import { passkeysApi } from '../../worker/contract/passkeys'
import { adminSession, secondFactor } from '../admin/admin-session'
import { call, errorMessage, hasCode } from '../api/call'
import type { ReauthenticationRequest } from '../api/reauthentication'
import { Button, buttonClass } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { PasswordField, TextField } from '../ui/Field'
import { Skeleton } from '../ui/Skeleton'
import { toast, toastError } from '../ui/toast'
import { type FieldErrors, focusInvalidField, missingFields, SecondFactorField } from './AccountFields'
import { account } from './account.queries'
import { googlePath } from './GoogleButton'
import { isPasskeyCancelled, requestPasskey, supportsPasskeys } from './passkeys.queries'

type Props = ReauthenticationRequest & { onClose: (confirmed: boolean) => void }

/**
 * Before a sensitive action, asks for a password, passkey or Google sign-in that the account has. An account with none
 * of them gets a code by email.
 */
export function ReauthenticationDialog({ kind, finalAction, onClose }: Props) {
  const title = finalAction?.title ?? 'Confirm it’s you'
  const Form = kind === 'administrator' ? AdminForm : SupporterForm
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 font-display text-xl">{title}</h2>
        <p className="mt-3 max-w-prose text-muted">
          {finalAction?.text ?? 'It’s been more than 15 minutes since you logged in. Confirm, and we’ll carry on.'}
        </p>
        <Form text={finalAction?.button} isFinal={finalAction !== undefined} onClose={onClose} />
      </div>
    </Dialog>
  )
}

/** `text` is the submit button's. */
type FormProps = Pick<Props, 'onClose'> & { text: string | undefined; isFinal: boolean }

function SupporterForm(props: FormProps) {
  // Another tab may have added a proof.
  const { data, isFetchedAfterMount, isError } = useQuery({ ...account, refetchOnMount: 'always' })
  if (!data || !(isFetchedAfterMount || isError)) return <Skeleton label="One moment" className="mt-6 h-40" />
  return (
    <ReauthenticationForm
      {...props}
      emailedCode={data.emailedCode ? { to: data.email, send: () => call(authApi.emailCode, {}) } : undefined}
      isProven={Date.parse(data.provenUntil) > Date.now()}
      hasPassword={data.hasPassword}
      hasGoogle={data.google}
      confirm={(body) => call(authApi.confirm, { body })}
      confirmByPasskey={async () => call(passkeysApi.confirm, { body: { passkey: await requestPasskey() } })}
    />
  )
}

function AdminForm(props: FormProps) {
  const queries = useQueryClient()
  const session = useQuery(adminSession)
  const { data: factor } = useQuery(secondFactor)
  if (session.isPending) return <Skeleton label="One moment" className="mt-6 h-40" />
  const refetchSession = () => queries.invalidateQueries({ queryKey: adminSession.queryKey })
  return (
    <ReauthenticationForm
      {...props}
      hasPassword={session.data?.hasPassword !== false}
      emailedCode={
        session.data?.emailedCode
          ? { to: 'your confirmed address', send: () => call(adminSessionApi.emailCode, {}) }
          : undefined
      }
      hasSecondFactor={factor?.enabled === true}
      hasGoogle={session.data?.google === true}
      googleFor="admin"
      confirm={async ({ secondFactorCode, ...input }) => {
        const proof = 'code' in input ? { emailedCode: input.code } : input
        await call(adminSessionApi.confirm, { body: { ...proof, ...(secondFactorCode && { code: secondFactorCode }) } })
        await refetchSession()
      }}
      confirmByPasskey={async () => {
        await call(passkeysApi.adminConfirm, { body: { passkey: await requestPasskey() } })
        await refetchSession()
      }}
    />
  )
}

type ReauthenticationFormProps = FormProps & {
  /** Emails a code; undefined if that is not offered. */
  emailedCode?: { to: string; send: () => Promise<unknown> } | undefined
  /** Authenticated in the last 15 minutes, as after returning from Google. */
  isProven?: boolean
  hasPassword: boolean
  hasGoogle?: boolean
  googleFor?: 'admin'
  /** If not known in advance, the server's first error asks for the code. */
  hasSecondFactor?: boolean
  confirm: (input: z.input<typeof Reauthentication>) => Promise<unknown>
  confirmByPasskey: () => Promise<unknown>
}

function ReauthenticationForm(props: ReauthenticationFormProps) {
  const {
    emailedCode,
    isProven = false,
    hasPassword,
    hasGoogle,
    googleFor,
    hasSecondFactor = false,
    text = 'Confirm',
    isFinal,
    onClose,
  } = props
  const isByEmail = !hasPassword && emailedCode !== undefined
  const hasField = hasPassword || isByEmail
  // An irreversible action is always confirmed; without a field to fill in, recent authentication is proof enough.
  const needsNoProof = !hasField && isFinal && isProven
  const [isCodeRequired, setCodeRequired] = useState(false)
  const [errors, setErrors] = useState<FieldErrors<'proof' | 'code' | 'form'>>({})
  const needsCode = hasSecondFactor || isCodeRequired
  const confirm = useMutation({ mutationFn: props.confirm, onSuccess: () => onClose(true) })
  const confirmByPasskey = useMutation({
    mutationFn: props.confirmByPasskey,
    onSuccess: () => onClose(true),
    onError: (error) => isPasskeyCancelled(error) || setErrors({ form: errorMessage(error) }),
  })
  const sendCode = useMutation({
    mutationFn: async () => emailedCode?.send(),
    onSuccess: () => toast({ title: 'Email sent', text: `A six-digit code is on its way to ${emailedCode?.to}.` }),
    onError: toastError('Email not sent'),
  })
  const isPending = confirm.isPending || confirmByPasskey.isPending

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    if (needsNoProof) return onClose(true)
    const form = event.currentTarget
    const data = new FormData(form)
    const [proof, code] = [String(data.get('proof')), String(data.get('code') ?? '').trim()]
    const missing: ('proof' | 'code')[] = proof.trim() === '' ? ['proof'] : []
    if (needsCode && code === '') missing.push('code')
    const { fields } = missingFields(missing)
    setErrors(fields)
    if (missing.length > 0) return focusInvalidField(form, fields)
    confirm.mutate(
      { ...(isByEmail ? { code: proof.trim() } : { password: proof }), ...(code && { secondFactorCode: code }) },
      {
        onError: (error) => {
          const text = errorMessage(error)
          if (hasCode(error, 'second_factor_required')) {
            setCodeRequired(true)
            return setErrors({ code: text })
          }
          // Of two fields, only the message says which one is wrong.
          setErrors(code ? { form: text } : { proof: text })
          form.querySelector<HTMLInputElement>('[name=proof]')?.focus()
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
          onClick={() => isPending || confirmByPasskey.mutate()}
        >
          <KeyRound size={18} aria-hidden />
          Use a passkey{instead}
        </Button>
      )}
      {hasGoogle && !(isFinal && hasField) && (
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
          name="proof"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
          autoFocus
          error={errors.proof}
        />
      )}
      {hasPassword && (
        <PasswordField
          label="Your password"
          name="proof"
          autoComplete="current-password"
          required
          autoFocus
          error={errors.proof}
        />
      )}
      {needsCode && <SecondFactorField autoFocus={isCodeRequired} error={errors.code} />}
      {errors.form && (
        <p role="alert" className="text-sunset">
          {errors.form}
        </p>
      )}
      {!hasField && !needsNoProof && (
        <>
          <div className="flex flex-wrap gap-3">{alternatives}</div>
          <p className="text-muted">
            Can’t use them here?{' '}
            <Link to="/reset-password" className="underline">
              Choose a password
            </Link>{' '}
            with a link by email.
          </p>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        {(hasField || needsNoProof) && (
          <Button
            type="submit"
            variant={isFinal ? 'outline' : 'primary'}
            aria-disabled={isPending}
            className={isFinal ? 'border-sunset! text-sunset' : undefined}
          >
            {isPending ? 'One moment' : text}
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
              aria-disabled={sendCode.isPending}
              onClick={() => sendCode.isPending || sendCode.mutate()}
            >
              Email me a code
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

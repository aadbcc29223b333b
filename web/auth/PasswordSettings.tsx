import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import { errorMessage, hasCode } from '../api/call'
import { Button } from '../ui/Button'
import { PasswordField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { toast, toastError } from '../ui/toast'
import { type FieldErrors, NewPasswordFields, toastFormError, validateNewPassword } from './AccountFields'
import { useChangePassword, useLogOutEverywhere } from './account.queries'
import { SettingsSection } from './SettingsSection'

/** Two sections: the password, and a button that logs out on all devices. */
export function PasswordSettings({ account }: { account: Account }) {
  const { hasPassword } = account
  const change = useChangePassword()
  const logOutEverywhere = useLogOutEverywhere()
  const navigate = useNavigate()
  const [errors, setErrors] = useState<FieldErrors<'current' | 'password' | 'confirm'>>({})
  const [formKey, setFormKey] = useState(0)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (change.isPending) return
    const data = new FormData(event.currentTarget)
    const formError = validateNewPassword(data)
    setErrors(formError?.fields ?? {})
    if (formError) return void toastFormError(formError)
    const current = hasPassword ? String(data.get('current')) : undefined
    const password = String(data.get('password'))
    void save(current, password)
  }

  async function save(current: string | undefined, password: string) {
    try {
      await change.mutateAsync({ current, password })
      setFormKey((key) => key + 1)
      toast({ title: 'Password changed', text: 'You were logged out on all your other devices.' })
    } catch (error) {
      const text = errorMessage(error as Error)
      const isAboutNewPassword = hasCode(error, 'bad_input') && current !== ''
      setErrors(isAboutNewPassword ? { password: text } : { current: text })
      toastError('Password not changed')(error as Error)
    }
  }

  return (
    <>
      <SettingsSection title="Password">
        <form key={formKey} noValidate method="post" onSubmit={submit} className="grid max-w-xl grid-cols-1 gap-6">
          {hasPassword && (
            <PasswordField
              label="Current password"
              name="current"
              autoComplete="current-password"
              required
              error={errors.current}
            />
          )}
          <FormError>{!hasPassword && errors.current}</FormError>
          <NewPasswordFields errors={errors} />
          <Button type="submit" aria-disabled={change.isPending} className="justify-self-start">
            {hasPassword ? 'Change the password' : 'Set a password'}
          </Button>
        </form>
      </SettingsSection>
      <SettingsSection title="Devices">
        <p className="max-w-prose text-muted">Logs you out on every device, including this one.</p>
        <Button
          className="mt-5"
          aria-disabled={logOutEverywhere.isPending}
          onClick={() =>
            logOutEverywhere.isPending ||
            logOutEverywhere.mutate(undefined, {
              onSuccess: () => {
                toast({ title: 'Logged Out', text: 'Everywhere.' })
                void navigate({ to: '/' })
              },
              onError: toastError('Log out failed'),
            })
          }
        >
          Log out everywhere
        </Button>
      </SettingsSection>
    </>
  )
}

import { type FormEvent, useState } from 'react'
import type { Account } from '../../worker/contract/auth'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useChangeSettings } from './account.queries'
import { SettingsSection } from './SettingsSection'

/** The phone number: what can still be read of it, and a new one in its place. */
export function PhoneSettings({ account }: { account: Account }) {
  const change = useChangeSettings()
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const phoneNumber = String(new FormData(form).get('phoneNumber')).trim()
    setProblem(phoneNumber === '' ? 'Please enter a valid phone number.' : undefined)
    if (phoneNumber === '' || change.isPending) return
    change.mutate(
      { phoneNumber },
      {
        onSuccess: ({ phoneEnds }) => {
          form.reset()
          toast({ title: 'Phone number kept', text: `Of it we can read that it ends in ${phoneEnds}.` })
        },
        onError: (error) => {
          setProblem(errorMessage(error))
          toast({ title: 'Phone number not kept', text: error.message, tone: 'destructive' })
        },
      },
    )
  }

  return (
    <SettingsSection title="Phone">
      <form noValidate method="post" onSubmit={submit} className="grid max-w-xl gap-5">
        <TextField
          label={
            account.phoneEnds ? `New number, in place of the one that ends in ${account.phoneEnds}` : 'Phone number'
          }
          name="phoneNumber"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={40}
          required
          error={problem}
          hint="For verification and referral security. We keep its last two digits and a scrambled form, not the number."
        />
        <Button type="submit" aria-disabled={change.isPending} className="justify-self-start">
          Save the number
        </Button>
      </form>
    </SettingsSection>
  )
}

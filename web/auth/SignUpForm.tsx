import { type FormEvent, useState } from 'react'
import { AGE_NOTICE_VERSION } from '../../worker/contract/retention'
import { Button } from '../ui/Button'
import { PasswordField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useSignUp } from './auth.queries'
import { StrengthMeter } from './StrengthMeter'
import {
  type FieldErrors,
  type SignUpField,
  type SignUpValues,
  serverFieldErrors,
  validateSignUp,
} from './sign-up-validation'

type Props = { referralCode: string; onReferralCode: (code: string) => void }

/** A new account. The referral code is the screen's, because signing up with Google carries it along as well. */
export function SignUpForm({ referralCode, onReferralCode }: Props) {
  const signUp = useSignUp()
  const [password, setPassword] = useState('')
  const [problems, setProblems] = useState<FieldErrors<SignUpField>>({})

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (signUp.isPending) return
    const form = event.currentTarget
    const values = Object.fromEntries(new FormData(form)) as SignUpValues
    const focus = (fields: FieldErrors<SignUpField>) =>
      form
        .querySelector<HTMLInputElement>(
          Object.keys(fields)
            .map((name) => `[name=${name}]`)
            .join(),
        )
        ?.focus()
    const found = validateSignUp(values)
    setProblems(found?.fields ?? {})
    if (found) {
      toast({ ...found.toast, tone: 'destructive' })
      focus(found.fields)
      return
    }
    const { confirm: _, ...body } = values
    signUp.mutate(
      { ...body, ageWording: AGE_NOTICE_VERSION },
      {
        onSuccess: ({ username, points }) =>
          toast({
            title: 'Account created!',
            text: points > 0 ? `Welcome, ${username}. You start with ${points} points.` : `Welcome, ${username}.`,
          }),
        onError: (error) => {
          const fields = serverFieldErrors(error)
          setProblems(fields)
          if (Object.keys(fields).length > 0) focus(fields)
          toast({ title: 'Signup failed', text: error.message || 'Failed to create account', tone: 'destructive' })
        },
      },
    )
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={30}
        required
        error={problems.username}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        required
        error={problems.email}
      />
      <TextField
        label="Phone number"
        name="phoneNumber"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={40}
        required
        error={problems.phoneNumber}
        hint="For verification and referral security. We keep its last two digits and a scrambled form, not the number."
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={problems.password}
        hint={<StrengthMeter password={password} />}
      />
      <PasswordField
        label="Confirm password"
        name="confirm"
        autoComplete="new-password"
        required
        error={problems.confirm}
      />
      <TextField
        label="Referral code"
        name="referralCode"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        value={referralCode}
        onChange={(event) => onReferralCode(event.target.value)}
        error={problems.referralCode}
        hint="Optional. A friend's code gives you 50 bonus points."
      />
      <Button type="submit" variant="foil" aria-disabled={signUp.isPending} className="min-h-14">
        {signUp.isPending ? 'Creating your account' : 'Sign Up'}
      </Button>
    </form>
  )
}

import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError, errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { PasswordField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useLogIn } from './auth.queries'
import type { FieldErrors } from './sign-up-validation'

/** Name and password. */
export function LogInForm() {
  const logIn = useLogIn()
  const [problems, setProblems] = useState<FieldErrors<'username' | 'password'>>({})

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (logIn.isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    const values = { username: String(data.get('username')), password: String(data.get('password')) }
    const missing = (['username', 'password'] as const).filter((name) => values[name].trim() === '')
    setProblems(Object.fromEntries(missing.map((name) => [name, 'Please fill this in.'])))
    const first = missing[0]
    if (first) {
      toast({ title: 'Missing fields', text: 'Please fill in all required fields', tone: 'destructive' })
      form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    logIn.mutate(values, {
      onSuccess: ({ username }) => toast({ title: 'Welcome back!', text: `You are logged in as ${username}.` }),
      onError: (error) => {
        const wrong = error instanceof ApiError && error.code === 'bad_credentials'
        form.querySelector<HTMLInputElement>('[name=password]')?.focus()
        setProblems({ password: wrong ? 'The name or the password is not right.' : errorMessage(error) })
        toast({ title: 'Login failed', text: error.message || 'Invalid credentials', tone: 'destructive' })
      },
    })
  }

  // noValidate: our toasts and sentences say what is wrong, not the browser's bubbles.
  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-6">
      <TextField
        label="Username or email"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
        error={problems.username}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        error={problems.password}
      />
      <Link
        to="/reset-password"
        className="-my-2 flex min-h-11 items-center justify-self-start text-sm text-muted underline underline-offset-4 hover:text-gold-bright"
      >
        Forgot your password?
      </Link>
      <Button type="submit" variant="foil" aria-disabled={logIn.isPending} className="min-h-14">
        {logIn.isPending ? 'Logging in' : 'Login'}
      </Button>
    </form>
  )
}

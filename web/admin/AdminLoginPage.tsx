import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/call'
import { sentence } from '../auth/sentence'
import { useSite } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { PasswordField } from '../ui/PasswordField'
import { TextField } from '../ui/TextField'
import { toast } from '../ui/toast'
import { useAdminLogIn } from './admin-session.queries'

const INVALID = 'Invalid username or password'

/** The door to the desk. Credentials are shown only when the server says that this is the demo (ruling 7). */
export function AdminLoginPage() {
  const logIn = useAdminLogIn()
  const navigate = useNavigate()
  const demo = useSite()?.demoAdmin
  const [problem, setProblem] = useState<string>()
  const [second, setSecond] = useState(false)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (logIn.isPending) return
    const data = new FormData(event.currentTarget)
    const code = String(data.get('code') ?? '').trim()
    const values = { username: String(data.get('username')).trim(), password: String(data.get('password')) }
    if (values.username === '' || values.password === '') return refuse(INVALID)
    if (second && code === '') return refuse('Please enter the code of your authenticator app.')
    setProblem(undefined)
    logIn.mutate(second ? { ...values, code } : values, {
      onSuccess: () => {
        toast({ title: 'Login Successful', text: 'The desk is yours for 24 hours.' })
        void navigate({ to: '/admin' })
      },
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'second_factor_required') return setSecond(true)
        const text = sentence(error)
        refuse(error instanceof ApiError && error.status === 401 && !second ? INVALID : text)
      },
    })
  }

  function refuse(text: string) {
    setProblem(text)
    toast({ title: 'Login Failed', text, tone: 'destructive' })
  }

  return (
    <main id="content" className="entrance">
      <div className="page-grid gap-y-10 py-10 md:py-20">
        <header className="col-span-full lg:col-span-5">
          <p className="font-label text-gold">Backstage</p>
          <h1 className="mt-4 font-display text-title">Admin login</h1>
        </header>
        <div className="col-span-full md:col-span-8 md:col-start-3 lg:col-span-6 lg:col-start-7">
          <form noValidate method="post" onSubmit={submit} className="entrance-form grid gap-6">
            <TextField
              label="Username"
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
            <PasswordField label="Password" name="password" autoComplete="current-password" required error={problem} />
            <Button type="submit" look="foil" aria-disabled={logIn.isPending} className="min-h-14">
              {logIn.isPending ? 'Logging in' : 'Login'}
            </Button>
          </form>
          {demo && (
            <section aria-labelledby="demo-credentials" className="mt-6 border border-dashed border-rule-strong p-5">
              <h2 id="demo-credentials" className="font-label text-muted">
                Demo credentials
              </h2>
              <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
                <dt className="text-muted">Username</dt>
                <dd className="font-semibold">{demo.username}</dd>
                <dt className="text-muted">Password</dt>
                <dd className="font-semibold">{demo.password}</dd>
              </dl>
            </section>
          )}
          <Link to="/" className={buttonClass('quiet', 'mt-6')}>
            <ArrowLeft size={18} aria-hidden />
            Back to Home
          </Link>
        </div>
      </div>
    </main>
  )
}

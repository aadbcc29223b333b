import '../styles/auth.css'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { useEffect, useState } from 'react'
import { returnPath } from '../../worker/contract/pages'
import { AGE_NOTICE } from '../../worker/contract/retention'
import { toast } from '../ui/toast'
import { useMe } from './auth.queries'
import { GoogleButton } from './GoogleButton'
import { LogInForm } from './LogInForm'
import { SignUpForm } from './SignUpForm'
import { type AuthSearch, authSearch } from './search'

const PERKS = [
  'Vote on what happens next, and ask the crowd yourself',
  'Points for every listen, vote and show',
  'A code of your own to bring friends along',
] as const

/** /login, /auth and /signup: one screen; on /signup the sign-up tab is open (specification section 2). */
export function AuthPage() {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  const { return: back, ref = '', error }: AuthSearch = authSearch(search)
  const [tab, setTab] = useState(pathname === '/signup' ? 'signup' : 'login')
  const [referralCode, setReferralCode] = useState(ref)
  // Read once: while the next screen is being fetched this one stands on its address already.
  const [destination] = useState(() => returnPath(back))
  const me = useMe()
  const navigate = useNavigate()

  // Whoever is logged in has no business here: after the form's own answer, and on arrival.
  useEffect(() => {
    if (me) void navigate({ href: destination, replace: true })
  }, [me, destination, navigate])
  useEffect(() => {
    if (error === 'google')
      toast({ title: 'Google sign-in failed', text: 'Please try again, or use your password.', tone: 'destructive' })
  }, [error])

  return (
    <main id="content" className="entrance">
      <div aria-hidden="true" className="disc entrance-disc" />
      <div className="page-grid items-start gap-y-10 py-10 md:py-20">
        <header className="col-span-full lg:col-span-6 lg:pr-8">
          <h1 className="font-display text-title">{tab === 'signup' ? 'Sign the sleeve' : 'Back for side B'}</h1>
          <ol className="mt-10 hidden max-w-xl lg:block">
            {PERKS.map((perk, place) => (
              <li key={perk} className="flex gap-5 border-t border-rule py-4">
                <span aria-hidden="true" className="figures font-label leading-7 text-gold">
                  A{place + 1}
                </span>
                {perk}
              </li>
            ))}
          </ol>
        </header>
        <section
          aria-label="Your account"
          className="entrance-form col-span-full md:col-span-8 md:col-start-3 lg:col-span-6 lg:col-start-7"
        >
          <Tabs.Root value={tab} onValueChange={setTab}>
            <Tabs.List aria-label="Login or sign up" className="mb-8 grid grid-cols-2">
              <Tabs.Trigger value="login" className="entrance-tab font-label">
                Login
              </Tabs.Trigger>
              <Tabs.Trigger value="signup" className="entrance-tab font-label">
                Sign Up
              </Tabs.Trigger>
            </Tabs.List>
            <Tabs.Content value="login">
              <LogInForm />
            </Tabs.Content>
            <Tabs.Content value="signup">
              <SignUpForm referralCode={referralCode} onReferralCode={setReferralCode} />
            </Tabs.Content>
          </Tabs.Root>
          <p className="or-rule my-6 text-sm">or</p>
          <GoogleButton referralCode={referralCode.trim()} back={back} />
          <p className="mt-6 text-sm text-muted">
            {AGE_NOTICE} How we treat your data is written in the{' '}
            <Link to="/privacy-policy" className="text-ivory underline underline-offset-4 hover:text-gold-bright">
              Privacy Policy
            </Link>
            .
          </p>
        </section>
      </div>
    </main>
  )
}

import '../styles/account.css'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { returnPath } from '../../worker/contract/pages'
import { useHydrated } from '../lib/useHydrated'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { AuthForms, type AuthTab } from './AuthForms'
import { useMe } from './auth.queries'
import { choiceText } from './choice-text'
import { dropPendingChoice, usePendingChoice } from './pending-choice'

/** `return` is the path to open after the login, `ref` a referral code. */
export type AuthSearch = { return?: string; ref?: string; error?: 'google' | 'signups' }

const PERKS = [
  'Vote on what happens next, and start polls of your own',
  'Points for every listen, vote and show',
  'Your own code to invite friends',
] as const

/** /login, /auth and /signup: one page; /signup opens the sign-up tab. */
export function AuthPage() {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  const { return: back, ref = '', error } = parseSearch(search)
  // The server renders without the search parameters.
  const isHydrated = useHydrated()
  const [tab, setTab] = useState<AuthTab>(pathname === '/signup' ? 'signup' : 'login')
  // Computed once: the URL changes before the next page's code has loaded.
  const [destination] = useState(() => returnPath(back))
  const me = useMe()
  const navigate = useNavigate()

  useEffect(() => {
    if (me) void navigate({ href: destination, replace: true })
  }, [me, destination, navigate])
  useEffect(() => {
    if (error === 'google')
      toast({ title: 'Google sign-in failed', text: 'Please try again, or use your password.', tone: 'destructive' })
    if (error === 'signups')
      toast({
        title: 'Too many accounts were created from this network today',
        text: 'Please try again tomorrow, or from another network.',
        tone: 'destructive',
      })
  }, [error])

  return (
    <main id="content" className="auth-page">
      <div aria-hidden="true" className="disc auth-page-disc" />
      <div className="page-grid items-start gap-y-10 py-10 md:py-20">
        <header className="col-span-full lg:col-span-6 lg:pr-8">
          {/* With an explicit line break, the web font and the fallback font both fill two lines: no layout shift. */}
          <h1 className="font-display text-title whitespace-pre-line lg:text-track lg:whitespace-pre">
            {tab === 'signup' ? 'Sign the\nsleeve' : 'Back for\nside B'}
          </h1>
          <ol className="mt-10 hidden max-w-xl lg:block">
            {PERKS.map((perk, index) => (
              <li key={perk} className="flex gap-5 border-t border-rule py-4">
                <span aria-hidden="true" className="tabular-figures font-label leading-7 text-gold">
                  A{index + 1}
                </span>
                {perk}
              </li>
            ))}
          </ol>
        </header>
        <section
          aria-label="Your account"
          className="auth-form col-span-full md:col-span-8 md:col-start-3 lg:col-span-6 lg:col-start-7"
        >
          <PendingChoiceNotice />
          <AuthForms
            tab={tab}
            onTab={setTab}
            initialReferralCode={isHydrated ? ref : ''}
            back={isHydrated ? back : undefined}
          />
        </section>
      </div>
    </main>
  )
}

function parseSearch(search: Record<string, unknown>): AuthSearch {
  const back = returnPath(search.return)
  return {
    ...(back !== '/' && { return: back }),
    ...(typeof search.ref === 'string' && /^[\w-]{1,40}$/.test(search.ref) && { ref: search.ref }),
    ...((search.error === 'google' || search.error === 'signups') && { error: search.error }),
  }
}

/** Says that the login completes the visitor's pending choice. */
function PendingChoiceNotice() {
  const pendingChoice = usePendingChoice()
  const text = pendingChoice && choiceText(pendingChoice.choice)
  if (!text) return null
  return (
    <div className="callout callout-neutral mb-8">
      <p className="wrap-anywhere">{text}</p>
      <Button variant="text" className="-ml-3 mt-2" onClick={dropPendingChoice}>
        Never mind
      </Button>
    </div>
  )
}

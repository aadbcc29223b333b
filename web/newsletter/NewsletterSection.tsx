import { type FormEvent, useId, useState } from 'react'
import { isEmail, MAX_EMAIL_CHARS } from '../../worker/contract/credential-rules'
import type { ArtistLinks } from '../../worker/contract/site'
import { useMe } from '../auth/auth.queries'
import { useSite } from '../site/site.queries'
import { useTurnstile } from '../turnstile/useTurnstile'
import { BRAND_NAME, type Brand, BrandIcon } from '../ui/BrandIcon'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { subscribedToast, useSubscribe } from './subscribe'

const SOCIAL_BRANDS = ['instagram', 'tiktok', 'youtube', 'spotify', 'appleMusic'] as const satisfies readonly Brand[]

export function SocialLinks({ links }: { links: ArtistLinks }) {
  return (
    <ul aria-label="The artist elsewhere" className="socials col-span-full">
      {SOCIAL_BRANDS.filter((brand) => links[brand] !== '').map((brand) => (
        <li key={brand}>
          <a href={links[brand]} target="_blank" rel="noreferrer" className="social">
            <BrandIcon brand={brand} size={26} />
            <span className="sr-only sm:not-sr-only">{BRAND_NAME[brand]}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The newsletter form and the artist's social links. */
export function NewsletterSection() {
  const fieldId = useId()
  const [email, setEmail] = useState('')
  const [isInvalid, setIsInvalid] = useState(false)
  const turnstile = useTurnstile('newsletter')
  const subscribe = useSubscribe(turnstile)
  const isVisitor = useMe() === null
  const links = useSite()?.artist.links

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (subscribe.isPending) return
    const error = validateEmail(email)
    setIsInvalid(error !== null)
    if (error) {
      toast({ ...error, tone: 'destructive' })
      event.currentTarget.querySelector('input')?.focus()
      return
    }
    subscribe.mutate(email.trim(), {
      onSuccess: (result) => {
        setEmail('')
        toast(subscribedToast(result, isVisitor))
      },
      onError: ({ message }) =>
        toast({
          title: 'Subscription failed',
          text: message || 'Please try again later.',
          tone: 'destructive',
        }),
    })
  }

  return (
    <section id="newsletter" aria-labelledby="newsletter-title" className="newsletter">
      <div className="page-grid py-16 md:py-24">
        <h2 id="newsletter-title" className="col-span-full font-display text-title lg:col-span-6">
          First to know
        </h2>
        {/* noValidate, because toasts replace the browser's messages. */}
        <form noValidate onSubmit={submit} className="col-span-full mt-8 self-end lg:col-span-6 lg:mt-0">
          <label htmlFor={fieldId} className="font-label text-muted">
            Email
          </label>
          <div className="newsletter-line">
            <input
              id={fieldId}
              type="email"
              name="email"
              autoComplete="email"
              inputMode="email"
              maxLength={MAX_EMAIL_CHARS}
              placeholder="you@example.com"
              value={email}
              aria-invalid={isInvalid || undefined}
              aria-describedby={`${fieldId}-note`}
              onChange={(event) => {
                setEmail(event.target.value)
                setIsInvalid(false)
              }}
            />
            <Button type="submit" variant="primary" aria-disabled={subscribe.isPending} className="min-w-44">
              {subscribe.isPending ? 'Joining...' : 'Subscribe'}
            </Button>
          </div>
          {turnstile.widget}
          <p id={`${fieldId}-note`} className="mt-3 text-sm text-muted">
            No spam, just good vibes. Unsubscribe anytime.
          </p>
        </form>
        {links && <SocialLinks links={links} />}
      </div>
    </section>
  )
}

/** The toast for an invalid address; null if it is valid. */
function validateEmail(email: string): { title: string; text: string } | null {
  const text = 'Please enter a valid email address.'
  if (email.trim() === '') return { title: 'Email required', text }
  return isEmail(email.trim()) ? null : { title: 'Invalid email', text }
}

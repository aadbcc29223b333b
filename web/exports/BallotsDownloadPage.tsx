import '../styles/utilities.css'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Download, Mail } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { emailError } from '../../worker/contract/credential-rules'
import { ScreenLink } from '../admin/ScreenLink'
import { CardPage } from '../auth/CardPage'
import { Button, buttonClass } from '../ui/Button'
import { TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { toast } from '../ui/toast'
import { BALLOTS_FILE_URL, useDownloadBallots, useEmailBallots } from './exports.queries'

/** /csv-download: the ballots as a file, or as a link by email. */
export function BallotsDownloadPage() {
  const emailLink = useEmailBallots()
  const download = useDownloadBallots()
  const [error, setError] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (emailLink.isPending) return
    const form = event.currentTarget
    const address = String(new FormData(form).get('email')).trim()
    if (address === '') {
      setError('Please enter your email address')
      return toast({ title: 'Email Required', text: 'Please enter your email address', tone: 'destructive' })
    }
    const invalidReason = emailError(address)
    setError(invalidReason ?? undefined)
    if (invalidReason) return
    emailLink.mutate(address, {
      onSuccess: () => {
        form.reset()
        toast({ title: 'Email Sent!', text: `The link is on its way to ${address}.` })
      },
      onError: () =>
        toast({
          title: 'Email Failed',
          text: 'Unable to send email. Try the direct download instead.',
          tone: 'destructive',
        }),
    })
  }

  return (
    <main id="content" className="page-grid gap-y-10 py-10 md:py-20">
      <header className="col-span-full">
        <p className="font-label text-gold">Verse Challenge</p>
        <h1 className="mt-4 font-display text-title">CSV Download</h1>
        <p className="mt-5 max-w-prose text-muted">
          Every ballot of the challenge: its number, when it was cast, for whom, and a pseudonym that identifies no one.
        </p>
      </header>
      <section
        aria-labelledby="direct"
        className="col-span-full border-t-4 border-gold bg-sleeve p-6 md:col-span-6 md:p-9"
      >
        <h2 id="direct" className="font-display text-xl">
          Direct download
        </h2>
        <p className="mt-3 text-muted">To this device.</p>
        <Button
          variant="primary"
          className="mt-8"
          aria-disabled={download.isPending}
          onClick={() => !download.isPending && download.mutate()}
        >
          <Download size={18} aria-hidden />
          Download CSV
        </Button>
      </section>
      <section
        aria-labelledby="by-mail"
        className="col-span-full border-t-4 border-rule bg-sleeve p-6 md:col-span-6 md:p-9"
      >
        <h2 id="by-mail" className="font-display text-xl">
          Email the link
        </h2>
        <p className="mt-3 text-muted">It works up to five times within 24 hours.</p>
        <form noValidate onSubmit={submit} className="mt-6 grid gap-6">
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            required
            error={error}
          />
          <Button type="submit" aria-disabled={emailLink.isPending} className="justify-self-start">
            <Mail size={18} aria-hidden />
            {emailLink.isPending ? 'Sending' : 'Send link'}
          </Button>
        </form>
      </section>
      <ScreenLink screen="challenge" className={buttonClass('text', 'col-span-full justify-self-start')}>
        <ArrowLeft size={18} aria-hidden />
        Back to the dashboard
      </ScreenLink>
    </main>
  )
}

/** /download-csv: starts the download when the page loads. */
export function BallotsAutoDownloadPage() {
  const { mutate, error } = useDownloadBallots()
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    mutate()
  }, [mutate])
  return (
    <CardPage title="Download CSV">
      {error ? (
        <FormError>{error.message}</FormError>
      ) : (
        <p>Your download starts automatically. If it does not, download the file here.</p>
      )}
      <a href={BALLOTS_FILE_URL} download className={buttonClass('primary', 'mt-8 w-full')}>
        Download CSV
      </a>
      <Link to="/csv-download" className={buttonClass('outline', 'mt-4 w-full')}>
        Email the link instead
      </Link>
    </CardPage>
  )
}

import { Check } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type CheckInToken, CODE_STEP_SECONDS, type ShowPage } from '../../worker/contract/check-in'
import { showPath } from '../../worker/contract/concerts'
import { errorMessage, hasCode } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { ConfirmEmailNotice } from '../auth/ConfirmEmailNotice'
import { SignUpOrLogin } from '../auth/SignUpOrLogin'
import { useCheckIn, useCreateCheckInToken } from '../concerts/show-page.queries'
import { formatLongZonedDateTime } from '../lib/format'
import { tabStorage } from '../lib/storage'
import { useNow } from '../lib/useNow'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { checkInState } from './check-in-times'

type Props = {
  show: ShowPage
  /** The server's time minus this device's time. */
  clockOffsetMs: number
}

/**
 * Check-in by typed code or scanned QR code. Without a confirmed account, the code is exchanged for a token, which this
 * tab saves (`savedScan`) until the account is confirmed.
 */
export function CheckInPanel({ show, clockOffsetMs }: Props) {
  const { id, slug, checkIn: checkInDetails, timeZone } = show
  const me = useMe()
  const now = useNow(15_000) + clockOffsetMs
  const state = checkInState(checkInDetails, now)
  const checkIn = useCheckIn(show)
  const createToken = useCreateCheckInToken(id)
  // The error of a typed code appears at its field, that of a code in the URL or of a saved token in an alert.
  const [codeError, setCodeError] = useState<string>()
  const [scanError, setScanError] = useState<string>()
  // Read after hydration, because the server has no hash and no session storage.
  const [urlCode, setUrlCode] = useState<string | null>(null)
  const [savedScan, setSavedScan] = useState<CheckInToken | null>(null)
  const hasHandledScan = useRef(false)
  const isUnconfirmed = me?.emailVerified === false
  const isBusy = checkIn.isPending || createToken.isPending
  // Only for visitors: a sign-up extends the token, so the server decides whether a supporter's scan has expired.
  const isExpired = savedScan !== null && me === null && now >= Date.parse(savedScan.expiresAt)

  const clearScan = () => {
    deleteSavedScan(id)
    setSavedScan(null)
  }
  const redeem = (credential: Parameters<typeof checkIn.mutateAsync>[0]) =>
    checkIn.mutateAsync(credential).then(clearScan, (error: Error) => {
      if (hasCode(error, 'conflict', 'bad_token')) clearScan()
      throw error
    })
  const saveAsToken = async (code: string) => {
    const token = await createToken.mutateAsync(code)
    saveScan(id, token)
    setSavedScan(token)
    setUrlCode(null)
    // The token is redeemed once its user has an account with a confirmed email.
    hasHandledScan.current = false
  }
  const submitCode = (code: string) => (me && !isUnconfirmed ? redeem({ code }) : saveAsToken(code))
  /** Sends a request for a scan; shows its error in the alert. */
  const runScanRequest = async (send: () => Promise<void>) => {
    setScanError(undefined)
    await send().catch((error: Error) => setScanError(errorMessage(error)))
  }

  useEffect(() => {
    setSavedScan(loadSavedScan(id))
    const code = readScannedCode()
    if (!code) return
    setUrlCode(code)
    clearScannedCode()
  }, [id])
  const canRedeem = Boolean(me && !isUnconfirmed && savedScan)
  const isEarly = state === 'before'
  // Handles a scan once, after the session has loaded. Before check-in opens, the server would reject its code.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the session or a scan arrives.
  useEffect(() => {
    const hasScan = canRedeem || urlCode !== null
    if (me === undefined || !hasScan || hasHandledScan.current || checkInDetails.doneAt) return
    hasHandledScan.current = true
    if (urlCode && !isEarly) void runScanRequest(() => submitCode(urlCode))
    else if (!urlCode && savedScan) void runScanRequest(() => redeem({ arrivalToken: savedScan.arrivalToken }))
  }, [me, savedScan, urlCode])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const showCodeError = (message: string) => {
      setCodeError(message)
      form.querySelector<HTMLInputElement>('[name=code]')?.focus()
    }
    const code = String(new FormData(form).get('code')).replace(/\D/g, '')
    if (code.length !== 6) return showCodeError('Please enter the six digits shown at the door.')
    setCodeError(undefined)
    setScanError(undefined)
    await submitCode(code).catch((error: Error) => showCodeError(errorMessage(error)))
  }

  if (checkInDetails.doneAt)
    return <CheckedIn doneAt={checkInDetails.doneAt} earned={checkIn.data} timeZone={timeZone} />
  if (savedScan && me === null && !isExpired)
    return (
      <VisitorScan slug={slug} expiresAt={savedScan.expiresAt} timeZone={timeZone} points={checkInDetails.points} />
    )
  const errorAlert = (message: string | undefined) =>
    message && (
      <p role="alert" className="max-w-prose text-sunset">
        {message}
      </p>
    )
  const codeForm = (message: string | undefined) => (
    <form noValidate onSubmit={submit} className="grid max-w-sm grid-cols-[minmax(0,1fr)] gap-6">
      {errorAlert(message)}
      <p className="text-muted">
        Type the code at the door, or scan it with your camera.{' '}
        <strong className="font-semibold text-gold">+{checkInDetails.points} points.</strong>
      </p>
      {me === null && (
        <p className="text-muted">
          No account yet? Enter the code first. We save it while you sign up or log in, and the points are yours.
        </p>
      )}
      {me && isUnconfirmed && (
        <ConfirmEmailNotice email={me.email}>
          You can scan now. Your points are added once you confirm your email.
        </ConfirmEmailNotice>
      )}
      <TextField
        label="Code at the door"
        name="code"
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        required
        defaultValue={urlCode ?? ''}
        className="door-code-field"
        error={codeError}
      />
      <Button type="submit" variant="primary" aria-disabled={isBusy}>
        {isBusy ? 'Checking in' : 'Check in'}
      </Button>
    </form>
  )
  if (me && isUnconfirmed && savedScan)
    return (
      <ConfirmEmailNotice email={me.email} className="callout">
        Your scan is saved. Confirm your email, come back here and +{checkInDetails.points} points are yours.
      </ConfirmEmailNotice>
    )
  // A saved scan stays valid for a while after check-in closes.
  if (me && savedScan)
    return (
      <div className="grid gap-10">
        <SupporterScan
          error={scanError}
          isBusy={isBusy}
          onRedeem={() => void runScanRequest(() => redeem({ arrivalToken: savedScan.arrivalToken }))}
        />
        {scanError && state === 'open' && codeForm(undefined)}
      </div>
    )
  if (isEarly)
    return (
      <div className="grid gap-4">
        {errorAlert(scanError)}
        {urlCode && (
          <p role="status" className="max-w-prose">
            You scanned the code, but check-in is not open yet. The code changes every {CODE_STEP_SECONDS} seconds, so
            please scan it again then.
          </p>
        )}
        <p className="max-w-prose text-muted">
          Check-in opens on {formatLongZonedDateTime(checkInDetails.opensAt, timeZone)}. Come back at the venue, type or
          scan the code at the door, and{' '}
          <strong className="font-semibold text-gold">+{checkInDetails.points} points</strong> are yours.
        </p>
      </div>
    )
  if (state === 'after' && !urlCode)
    return (
      <div className="grid gap-4">
        {errorAlert(scanError)}
        <p className="text-muted">Check-in for this show is over.</p>
      </div>
    )
  return codeForm(
    scanError ?? (isExpired ? 'Your scan has expired. Please use the code shown at the door now.' : undefined),
  )
}

type CheckedInProps = { doneAt: string; earned: ReturnType<typeof useCheckIn>['data']; timeZone: string }

/** The completed check-in. `earned` is undefined if it was done on an earlier visit. */
function CheckedIn({ doneAt, earned, timeZone }: CheckedInProps) {
  return (
    <div role="status" className="callout">
      <p className="flex items-center gap-3 font-display text-2xl">
        <Check size={32} aria-hidden className="text-gold" />
        You are in
      </p>
      <p className="mt-3">
        {earned ? (
          <>
            <strong className="tabular-figures text-gold">+{earned.pointsAwarded} points.</strong> Enjoy the show.
          </>
        ) : (
          `You checked in on ${formatLongZonedDateTime(doneAt, timeZone)}.`
        )}
      </p>
      {earned?.missions.map((mission) => (
        <p key={mission.id} className="mt-2 text-muted">
          Mission completed: {mission.title}, +{mission.points} points.
        </p>
      ))}
    </div>
  )
}

type VisitorScanProps = { slug: string; expiresAt: string; timeZone: string; points: number }

/** A visitor's saved scan. */
function VisitorScan({ slug, expiresAt, timeZone, points }: VisitorScanProps) {
  /** Without the day. */
  const expiryTime = formatLongZonedDateTime(expiresAt, timeZone).split(', ').at(-1)
  return (
    <div role="status" className="callout">
      <p className="font-display text-2xl">You are here</p>
      <p className="mt-3 max-w-prose">
        Your scan is saved. Sign up or log in by {expiryTime} and{' '}
        <strong className="text-gold">+{points} points</strong> are yours.
      </p>
      <SignUpOrLogin back={showPath(slug)} />
    </div>
  )
}

type SupporterScanProps = { error: string | undefined; isBusy: boolean; onRedeem: () => void }

/** A supporter's saved scan: redeemed automatically, or by the button if that failed. */
function SupporterScan({ error, isBusy, onRedeem }: SupporterScanProps) {
  const label = error ? 'Try again' : 'Check in'
  return (
    <div className="callout">
      <p className="font-display text-2xl">Your scan is saved</p>
      {error && !isBusy ? (
        <p role="alert" className="mt-3 max-w-prose text-sunset">
          {error}
        </p>
      ) : (
        <p role="status" className="mt-3 max-w-prose text-muted">
          One moment: we are checking you in.
        </p>
      )}
      <Button variant="primary" aria-disabled={isBusy} onClick={() => isBusy || onRedeem()} className="mt-6">
        {isBusy ? 'Checking in' : label}
      </Button>
    </div>
  )
}

const scanStorageKey = (id: string) => `arrival:${id}`

/** Saves a scan in this tab until its user has an account with a confirmed email. */
const saveScan = (id: string, token: CheckInToken) => tabStorage.write(scanStorageKey(id), JSON.stringify(token))

function loadSavedScan(id: string): CheckInToken | null {
  const saved = tabStorage.readJson(scanStorageKey(id))
  return isCheckInToken(saved) ? saved : null
}

const deleteSavedScan = (id: string) => tabStorage.write(scanStorageKey(id), null)

const isCheckInToken = (value: unknown): value is CheckInToken =>
  typeof value === 'object' && value !== null && 'arrivalToken' in value && 'expiresAt' in value

/** The code that a scanned QR code put into the URL's hash, which servers do not see; null without one. */
function readScannedCode(): string | null {
  return /^#code=(\d{6})$/.exec(window.location.hash)?.[1] ?? null
}

/** Removes the code from the URL, so that a reload or a copied URL does not try it again. */
function clearScannedCode(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
}

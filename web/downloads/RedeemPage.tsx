import '../styles/utilities.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { downloadCodesApi, REDEMPTION_TTL_DAYS } from '../../worker/contract/download-codes'
import { call, errorMessage } from '../api/call'
import { CardPage } from '../auth/CardPage'
import { deviceStorage } from '../lib/storage'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { DownloadList } from './DownloadList'
import { isPreparing } from './downloads.queries'

const codeFromUrl = () =>
  typeof location === 'undefined' ? '' : (new URLSearchParams(location.search).get('code') ?? '').slice(0, 40)

/** /redeem: redeems a download code. A QR code fills in the field; the button redeems it. */
export function RedeemPage() {
  const [code, setCode] = useState(codeFromUrl)
  const [isCodeMissing, setIsCodeMissing] = useState(false)
  const redeem = useMutation({
    mutationFn: (code: string) => call(downloadCodesApi.redeem, { body: { code, key: getOrCreateRedeemKey() } }),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const typedCode = code.trim()
    setIsCodeMissing(typedCode === '')
    if (typedCode !== '' && !redeem.isPending) redeem.mutate(typedCode)
  }
  if (redeem.data)
    return (
      <CardPage title="Your download">
        <p role="status">
          {redeem.data.isInLibrary
            ? 'Yours to keep. It is in your account’s library now.'
            : `Yours to keep. This browser can open it again with the same code for ${REDEMPTION_TTL_DAYS} days. Log in and redeem it once more to add it to your library.`}
        </p>
        <div className="mt-6">
          <DownloadList downloads={redeem.data.downloads} />
        </div>
        {redeem.data.downloads.some(isPreparing) && (
          <Button className="mt-4" onClick={() => redeem.mutate(code.trim())}>
            Check again
          </Button>
        )}
      </CardPage>
    )
  const redeemError = redeem.error ? errorMessage(redeem.error) : undefined
  return (
    <CardPage title="Redeem a code">
      <p>Enter the code from your card to download the music. Each code works once.</p>
      <form noValidate method="post" onSubmit={submit} className="mt-8 grid gap-6">
        <TextField
          label="Code"
          name="code"
          required
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          placeholder="ABCD-EFGH-JKMN"
          value={code}
          onChange={(event) => {
            setCode(event.target.value)
            setIsCodeMissing(false)
            if (redeem.error) redeem.reset()
          }}
          error={isCodeMissing ? 'Enter the code from your card.' : redeemError}
        />
        <Button type="submit" variant="primary" aria-disabled={redeem.isPending} className="min-h-14 w-full">
          {redeem.isPending ? 'Checking the code' : 'Redeem the code'}
        </Button>
      </form>
    </CardPage>
  )
}

const STORAGE_KEY = 'redeem-key'
const KEY_LENGTH = 32
const KEY_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

let browserKey: string | null = null

/** Returns this browser's random key, created on first use. It lets the browser redeem its used codes again. */
function getOrCreateRedeemKey(): string {
  const stored = browserKey ?? deviceStorage.read(STORAGE_KEY)
  browserKey = stored !== null && /^[\w-]{22,64}$/.test(stored) ? stored : createAndStoreKey()
  return browserKey
}

function createAndStoreKey(): string {
  const created = Array.from(
    crypto.getRandomValues(new Uint8Array(KEY_LENGTH)),
    (byte) => KEY_CHARACTERS[byte % 64],
  ).join('')
  deviceStorage.write(STORAGE_KEY, created)
  return created
}

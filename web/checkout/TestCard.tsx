import { WalletCards } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { checkoutApi, TEST_CARDS, type TestCard as TestCardName } from '../../worker/contract/checkout'
import { call } from '../api/call'
import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import type { CardFormProps } from './CardPanel'

const CARD_TEXTS: Record<TestCardName, { name: string; result: string }> = {
  succeeds: { name: 'Gold card', result: 'The payment goes through.' },
  declined: { name: 'Red card', result: 'The bank declines it.' },
  second_step: { name: 'Blue card', result: 'The bank asks you to confirm, as in 3-D Secure.' },
}

/** The test provider's card form: three test cards, each with a fixed result. */
export function TestCard({ orderId, clientSecret, amountCents, onReady, validateForm, onWallet }: CardFormProps) {
  const [selected, setSelected] = useState<TestCardName>('succeeds')
  const [secondStep, setSecondStep] = useState<{ resolve: (isApproved: boolean) => void }>()
  const selectedCard = useRef(selected)
  selectedCard.current = selected
  const noteId = useId()
  const [isWalletOpen, setIsWalletOpen] = useState(false)

  useEffect(() => {
    onReady({
      check: async () => true,
      charge: () =>
        payWithTestCard({ orderId, clientSecret, card: selectedCard.current }, () =>
          new Promise<boolean>((resolve) => setSecondStep({ resolve })).finally(() => setSecondStep(undefined)),
        ),
    })
    return () => onReady(null)
  }, [orderId, clientSecret, onReady])

  return (
    <fieldset aria-describedby={noteId} className="test-cards">
      <legend className="sr-only">Test card</legend>
      <p id={noteId} className="col-span-full font-semibold text-bay">
        Test payments: no card is charged
      </p>
      {TEST_CARDS.map((name) => (
        <label key={name} className="test-card" data-card={name}>
          <input
            type="radio"
            name="test-card"
            value={name}
            checked={selected === name}
            onChange={() => setSelected(name)}
            className="test-card-radio"
          />
          <span aria-hidden="true" className="test-card-face" />
          <span>
            <span className="block font-semibold">{CARD_TEXTS[name].name}</span>
            <span className="block text-sm text-muted">{CARD_TEXTS[name].result}</span>
          </span>
        </label>
      ))}
      <div className="col-span-full mt-2">
        <Button onClick={() => validateForm() && setIsWalletOpen(true)} className="w-full">
          <WalletCards size={20} aria-hidden />
          Pay with the test wallet
        </Button>
      </div>
      {isWalletOpen && (
        <TestWalletDialog
          amountCents={amountCents}
          onClose={() => setIsWalletOpen(false)}
          onResult={(succeeds) => {
            setIsWalletOpen(false)
            onWallet({
              check: async () => true,
              charge: async () =>
                succeeds
                  ? payWithTestCard({ orderId, clientSecret, card: 'succeeds' }, async () => true)
                  : WALLET_FAILED,
            })
          }}
        />
      )}
      {secondStep && <SecondStepDialog amountCents={amountCents} onResult={secondStep.resolve} />}
    </fieldset>
  )
}

/** Returns null if the payment succeeded, else the test provider's message. */
async function payWithTestCard(
  { orderId, clientSecret, card }: { orderId: string; clientSecret: string; card: TestCardName },
  approve: () => Promise<boolean>,
): Promise<string | null> {
  const confirm = (secondStep?: 'approve' | 'refuse') =>
    call(checkoutApi.confirmTestPayment, { orderId, body: { clientSecret, card, ...(secondStep && { secondStep }) } })
  let result = await confirm()
  if (result.outcome === 'needs_second_step') result = await confirm((await approve()) ? 'approve' : 'refuse')
  const { outcome, message } = result
  return outcome === 'succeeded' ? null : (message ?? 'The card was declined.')
}

const WALLET_FAILED = 'The wallet could not pay, and nothing was charged. Try again, or use a card.'

type TestWalletProps = { amountCents: number; onClose: () => void; onResult: (succeeds: boolean) => void }

/** Simulates a wallet's sheet: the buyer approves a payment that succeeds or fails, or closes the sheet. */
function TestWalletDialog({ amountCents, onClose, onResult }: TestWalletProps) {
  return (
    <Dialog title="Test wallet" description={`Pay ${formatPrice(amountCents)}. No money moves.`} onClose={onClose}>
      <div className="p-6 md:p-10">
        <p className="font-label text-bay">Test wallet</p>
        <p aria-hidden="true" className="tabular-figures mt-3 mr-12 font-display text-2xl">
          {formatPrice(amountCents)}
        </p>
        <div className="mt-8 flex flex-wrap gap-4">
          <Button variant="primary" onClick={() => onResult(true)} className="max-xs:w-full">
            Approve
          </Button>
          <Button onClick={() => onResult(false)} className="max-xs:w-full">
            Let it fail
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

type SecondStepProps = {
  amountCents: number
  /** Called with true if confirmed, false if canceled or closed. */
  onResult: (isApproved: boolean) => void
}

/** Simulates a bank's 3-D Secure dialog. */
function SecondStepDialog({ amountCents, onResult }: SecondStepProps) {
  return (
    <Dialog
      title="Your bank asks you to confirm"
      description={`A payment of ${formatPrice(amountCents)}. This is a test: no card is charged.`}
      onClose={() => onResult(false)}
    >
      <div className="p-6 md:p-10">
        <p className="font-label text-bay">Test bank</p>
        <p aria-hidden="true" className="mt-3 mr-12 font-display text-2xl">
          Is this you?
        </p>
        <p aria-hidden="true" className="mt-4 max-w-prose">
          A payment of <strong className="tabular-figures">{formatPrice(amountCents)}</strong> is waiting for your
          confirmation. This is a test: no card is charged.
        </p>
        <div className="mt-8 flex flex-wrap gap-4">
          <Button variant="primary" onClick={() => onResult(true)} className="max-xs:w-full">
            Confirm the payment
          </Button>
          <Button onClick={() => onResult(false)} className="max-xs:w-full">
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

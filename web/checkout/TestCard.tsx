import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { type TestCard as Name, TEST_CARDS } from '../../worker/contract/products'
import type { CardFormProps } from './card-form'
import { payWithTestCard } from './test-card-payment'

const SecondStep = lazy(() => import('./SecondStep').then((m) => ({ default: m.SecondStep })))

const CARDS: Record<Name, { name: string; result: string }> = {
  succeeds: { name: 'Gold card', result: 'The payment goes through.' },
  declined: { name: 'Red card', result: 'The bank declines it.' },
  second_step: { name: 'Blue card', result: 'The bank asks you to confirm, as in 3-D Secure.' },
}

/** The demo's own card form (ruling 25): three cards and what becomes of each. There is nothing to type. */
export function TestCard({ orderId, clientSecret, amountCents, onReady }: CardFormProps) {
  const [selected, setSelected] = useState<Name>('succeeds')
  const [challenge, setChallenge] = useState<{ answer: (approved: boolean) => void }>()
  const card = useRef(selected)
  card.current = selected
  const note = useId()

  useEffect(() => {
    onReady({
      check: async () => true,
      charge: () =>
        payWithTestCard({ orderId, clientSecret, card: card.current }, () =>
          new Promise<boolean>((answer) => setChallenge({ answer })).finally(() => setChallenge(undefined)),
        ),
    })
    return () => onReady(null)
  }, [orderId, clientSecret, onReady])

  return (
    <fieldset aria-describedby={note} className="test-cards">
      <legend className="sr-only">Test card</legend>
      <p id={note} className="col-span-full font-semibold text-bay">
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
            <span className="block font-semibold">{CARDS[name].name}</span>
            <span className="block text-sm text-muted">{CARDS[name].result}</span>
          </span>
        </label>
      ))}
      {challenge && (
        <Suspense fallback={null}>
          <SecondStep amountCents={amountCents} onAnswer={challenge.answer} />
        </Suspense>
      )}
    </fieldset>
  )
}

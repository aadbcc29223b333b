import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { type TestCard as Name, TEST_CARDS } from '../../worker/contract/shop'
import type { CardFormProps } from './card'
import { payWithTestCard } from './test-payments'

const SecondStep = lazy(() => import('./SecondStep').then((m) => ({ default: m.SecondStep })))

const CARDS: Record<Name, { name: string; result: string }> = {
  succeeds: { name: 'Gold card', result: 'The payment goes through.' },
  declined: { name: 'Red card', result: 'The bank declines it.' },
  second_step: { name: 'Blue card', result: 'The bank asks you to confirm, as in 3-D Secure.' },
}

/** The demo's own card form (ruling 25): three cards and what becomes of each. There is nothing to type. */
export function TestCard({ orderId, clientSecret, amountCents, onReady }: CardFormProps) {
  const [chosen, setChosen] = useState<Name>('succeeds')
  const [asking, setAsking] = useState<{ answer: (approved: boolean) => void }>()
  const card = useRef(chosen)
  card.current = chosen
  const note = useId()

  useEffect(() => {
    onReady({
      check: async () => true,
      charge: () =>
        payWithTestCard({ orderId, clientSecret, card: card.current }, () =>
          new Promise<boolean>((answer) => setAsking({ answer })).finally(() => setAsking(undefined)),
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
            checked={chosen === name}
            onChange={() => setChosen(name)}
            className="test-card-radio"
          />
          <span aria-hidden="true" className="test-card-face" />
          <span>
            <span className="block font-semibold">{CARDS[name].name}</span>
            <span className="block text-sm text-muted">{CARDS[name].result}</span>
          </span>
        </label>
      ))}
      {asking && (
        <Suspense fallback={null}>
          <SecondStep amountCents={amountCents} onAnswer={asking.answer} />
        </Suspense>
      )}
    </fieldset>
  )
}

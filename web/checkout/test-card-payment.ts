import { productsApi, type TestCard } from '../../worker/contract/products'
import { call } from '../api/call'

type Payment = { orderId: string; clientSecret: string; card: TestCard }

/**
 * Pays with one of the demo's cards. `approve` is the second step, asked for where the card needs one.
 * @returns null when the payment went through, else the sentence of the demo's provider.
 */
export async function payWithTestCard(
  { orderId, clientSecret, card }: Payment,
  approve: () => Promise<boolean>,
): Promise<string | null> {
  const confirm = (secondStep?: 'approve' | 'refuse') =>
    call(productsApi.confirmTestPayment, {
      orderId,
      body: { clientSecret, card, ...(secondStep && { secondStep }) },
    })
  const first = await confirm()
  const { outcome, message } =
    first.outcome === 'needs_second_step' ? await confirm((await approve()) ? 'approve' : 'refuse') : first
  return outcome === 'succeeded' ? null : (message ?? 'The card was declined.')
}

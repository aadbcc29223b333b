import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toast } from '../ui/toast'

/**
 * The buyer comes back from a bank's own page to `/?purchase=success` (specification section 8). The address proves
 * nothing: with an order and its secret the receipt is opened, which asks the server; without them nothing is said.
 */
export function PurchaseReturn() {
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> })
  const { order, payment_intent_client_secret: secret, redirect_status: outcome } = search
  const navigate = useNavigate()
  useEffect(() => {
    if (typeof order !== 'string' || typeof secret !== 'string')
      return void navigate({ to: '.', search: {}, replace: true })
    if (outcome === 'failed') {
      toast({
        title: 'Payment Failed',
        text: 'Your bank did not confirm the payment. Nothing has been charged.',
        tone: 'destructive',
      })
      // The receipt of an unpaid order leads back to its payment.
      return void navigate({
        to: '/orders/$id',
        params: { id: order },
        search: { client_secret: secret },
        replace: true,
      })
    }
    void navigate({
      to: '/orders/$id',
      params: { id: order },
      search: { client_secret: secret, purchase: 'success' },
      replace: true,
    })
  }, [order, secret, outcome, navigate])
  return null
}

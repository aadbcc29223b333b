import '../styles/utilities.css'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toast } from '../ui/toast'

/**
 * Opens the receipt when a bank's page sends the buyer back to `/?purchase=success`. The URL proves nothing; the
 * receipt asks the server whether the order is paid.
 */
export function PurchaseReturn() {
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> })
  const { order, payment_intent_client_secret: secret, redirect_status: outcome } = search
  const navigate = useNavigate()
  useEffect(() => {
    if (typeof order !== 'string' || typeof secret !== 'string')
      return void navigate({ to: '.', search: {}, replace: true })
    const hasFailed = outcome === 'failed'
    if (hasFailed)
      toast({
        title: 'Payment Failed',
        text: 'Your bank did not confirm the payment. Nothing has been charged.',
        tone: 'destructive',
      })
    void navigate({
      to: '/orders/$id',
      params: { id: order },
      search: { client_secret: secret, ...(!hasFailed && { purchase: 'success' }) },
      replace: true,
    })
  }, [order, secret, outcome, navigate])
  return null
}

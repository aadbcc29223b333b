/**
 * The address of /orders/{id}: the secret of its link, as the payment's (`client_secret`) or the mailed one (`token`).
 * `purchase=success` says that the buyer comes straight from the card; it proves nothing.
 */
export type OrderSearch = { client_secret?: string; token?: string; purchase?: 'success' }

export function parseOrderSearch({ client_secret, token, purchase }: Record<string, unknown>): OrderSearch {
  return {
    ...(client_secret !== undefined && { client_secret: String(client_secret) }),
    ...(token !== undefined && { token: String(token) }),
    ...(purchase === 'success' && { purchase }),
  }
}

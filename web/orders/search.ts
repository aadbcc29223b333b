/** Search parameters of /orders/{id}: the secret as `client_secret` from the payment or `token` from the email. */
type OrderSearch = { client_secret?: string; token?: string; purchase?: 'success' }

export function parseOrderSearch({ client_secret, token, purchase }: Record<string, unknown>): OrderSearch {
  return {
    ...(client_secret !== undefined && { client_secret: String(client_secret) }),
    ...(token !== undefined && { token: String(token) }),
    ...(purchase === 'success' && { purchase }),
  }
}

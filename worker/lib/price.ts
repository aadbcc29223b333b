const formatters = new Map<string, Intl.NumberFormat>()

/** Integer cents in a currency (ISO 4217): '$19.99', '-€5.00'. */
export function formatPrice(cents: number, currency: string): string {
  const formatter = formatters.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency })
  formatters.set(currency, formatter)
  return formatter.format(cents / 100)
}

const formats = new Map<string, Intl.NumberFormat>()

/** Integer cents in a currency (ISO 4217): '$19.99', '-€5.00'. */
export function formatPrice(cents: number, currency: string): string {
  const format = formats.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency })
  formats.set(currency, format)
  return format.format(cents / 100)
}

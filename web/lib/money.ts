const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** Integer cents as US dollars: '$19.99'. */
export function formatPrice(cents: number): string {
  return dollars.format(cents / 100)
}

/** Integer cents as US dollars without '.00': '$15', '$19.99'. */
export function formatShortPrice(cents: number): string {
  return cents % 100 === 0 ? wholeDollars.format(cents / 100) : formatPrice(cents)
}
